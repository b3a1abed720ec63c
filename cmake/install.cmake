# What `cmake --install` puts where. Nothing installed holds the prefix, so the tree can be moved.
#   find_package(neardup)  ->  neardup::neardup            pkg-config neardup
#
# Components: program, development (library and headers), and portable, which is only for the tarball of cmake/package.cmake.
include(CMakePackageConfigHelpers)

set(NEARDUP_CMAKE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/neardup)
install(TARGETS neardup EXPORT neardup ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/neardup DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development
        FILES_MATCHING PATTERN "*.h")
install(EXPORT neardup NAMESPACE neardup:: FILE neardupTargets.cmake DESTINATION ${NEARDUP_CMAKE_DIR} COMPONENT development)
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/neardupConfig.cmake.in ${PROJECT_BINARY_DIR}/neardupConfig.cmake
                              INSTALL_DESTINATION ${NEARDUP_CMAKE_DIR})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/neardupConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/neardupConfig.cmake ${PROJECT_BINARY_DIR}/neardupConfigVersion.cmake
        DESTINATION ${NEARDUP_CMAKE_DIR} COMPONENT development)

file(RELATIVE_PATH NEARDUP_PREFIX_FROM_PC ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
configure_file(${PROJECT_SOURCE_DIR}/cmake/neardup.pc.in ${PROJECT_BINARY_DIR}/neardup.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/neardup.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT development)

install(TARGETS neardup_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT program)

# neardup_install_share(COMPONENT [EXCLUDE_FROM_ALL]): what goes with the program wherever it goes.
function(neardup_install_share component)
  set(options COMPONENT ${component} ${ARGN})
  install(FILES ${NEARDUP_SHARE}/neardup.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 ${options})
  install(FILES ${NEARDUP_SHARE}/neardup.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME neardup ${options})
  install(FILES ${NEARDUP_SHARE}/_neardup DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions ${options})
  install(FILES ${NEARDUP_SHARE}/neardup.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d ${options})
  install(FILES ${PROJECT_SOURCE_DIR}/LICENSE ${PROJECT_SOURCE_DIR}/README.md ${PROJECT_SOURCE_DIR}/CHANGELOG.md
          DESTINATION ${CMAKE_INSTALL_DOCDIR} ${options})
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs DESTINATION ${CMAKE_INSTALL_DOCDIR} ${options})
endfunction()
neardup_install_share(program)
