# What `cmake --install` puts where. Nothing installed holds the prefix, so the tree can be moved.
#   find_package(neardup)  ->  neardup::neardup            pkg-config neardup
include(CMakePackageConfigHelpers)

set(NEARDUP_CMAKE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/neardup)
install(TARGETS neardup EXPORT neardup ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/neardup DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
install(EXPORT neardup NAMESPACE neardup:: FILE neardupTargets.cmake DESTINATION ${NEARDUP_CMAKE_DIR})
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/neardupConfig.cmake.in ${PROJECT_BINARY_DIR}/neardupConfig.cmake
                              INSTALL_DESTINATION ${NEARDUP_CMAKE_DIR})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/neardupConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/neardupConfig.cmake ${PROJECT_BINARY_DIR}/neardupConfigVersion.cmake
        DESTINATION ${NEARDUP_CMAKE_DIR})

file(RELATIVE_PATH NEARDUP_PREFIX_FROM_PC ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
configure_file(${PROJECT_SOURCE_DIR}/cmake/neardup.pc.in ${PROJECT_BINARY_DIR}/neardup.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/neardup.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

if(TARGET neardup_cli)
  install(TARGETS neardup_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
