# `make package`: Debian packages (neardup, libneardup-dev, and neardup-arrow where the plugin is built), and a tarball that runs wherever the C library is new enough.

# The tarball's program finds everything but the C library in lib/ beside it.
install(TARGETS neardup_portable RUNTIME_DEPENDENCY_SET neardup_portable_libraries
        RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT portable EXCLUDE_FROM_ALL)
install(RUNTIME_DEPENDENCY_SET neardup_portable_libraries
        PRE_EXCLUDE_REGEXES "^(ld-linux|libc\\.|libm\\.|libpthread|libdl\\.|librt\\.|libresolv|libutil|libnsl)"
        LIBRARY DESTINATION lib COMPONENT portable EXCLUDE_FROM_ALL)
neardup_install_share(portable EXCLUDE_FROM_ALL)
# Whoever passes on libraries passes on their licences.
install(CODE [[
  file(GLOB libraries RELATIVE ${CMAKE_INSTALL_PREFIX}/lib ${CMAKE_INSTALL_PREFIX}/lib/*.so.*)
  foreach(library IN LISTS libraries)
    execute_process(COMMAND dpkg-query --search *-linux-gnu*/${library} OUTPUT_VARIABLE owner ERROR_QUIET)
    string(REGEX MATCH "^[^:,]+" owner "${owner}")
    if(owner AND EXISTS /usr/share/doc/${owner}/copyright)
      configure_file(/usr/share/doc/${owner}/copyright ${CMAKE_INSTALL_PREFIX}/share/doc/neardup/licenses/${owner} COPYONLY)
    endif()
  endforeach()
]] COMPONENT portable EXCLUDE_FROM_ALL)

set(CPACK_PACKAGE_NAME neardup)
set(CPACK_PACKAGE_VENDOR neardup)
set(CPACK_PACKAGE_CONTACT "neardup <neardup@localhost>")
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_BINARY_DIR}/packages)
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_STRIP_FILES ON)
set(CPACK_GENERATOR DEB TGZ)
set(CPACK_PROJECT_CONFIG_FILE ${PROJECT_SOURCE_DIR}/cmake/package_kinds.cmake)  # what differs between the two

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME neardup)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SECTION text)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SHLIBDEPS ON)
# Each stands below the description of the project.
set(CPACK_COMPONENT_PROGRAM_DESCRIPTION "neardup reads text, JSONL, CSV, HTML, mail and web archives, compares
documents exactly, and says what was removed and why.")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libneardup-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
# The library is static: whoever links it also links these. cmake/dependencies.cmake has the same list.
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS
    "libfmt-dev, libsimdjson-dev, zlib1g-dev, libzstd-dev, libbz2-dev, liblzma-dev, liblz4-dev, libarchive-dev, libbrotli-dev, \
libicu-dev, libuchardet-dev, libre2-dev, libstemmer-dev, libtbb-dev, libxxhash-dev, librocksdb-dev")
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION "This package has the static library and its headers, for programs that
look for near-duplicates themselves.")
set(CPACK_DEBIAN_ARROW_PACKAGE_NAME neardup-arrow)
set(CPACK_DEBIAN_ARROW_PACKAGE_SECTION text)
set(CPACK_DEBIAN_ARROW_PACKAGE_DEPENDS "neardup (= ${PROJECT_VERSION}), libc6 (>= 2.28), libstdc++6 (>= 12)")
set(CPACK_COMPONENT_ARROW_DESCRIPTION "This package has the plugin that reads and writes Parquet and Arrow files and
reaches s3://, with the Arrow libraries it needs.")
# Debian's name for the licence.
set(packages program:neardup development:libneardup-dev)
if(TARGET neardup_arrow_plugin)
  set(CPACK_NEARDUP_ARROW ON)
  list(APPEND packages arrow:neardup-arrow)
endif()
foreach(package IN LISTS packages)
  string(REPLACE ":" ";" package ${package})
  list(GET package 0 component)
  list(GET package 1 name)
  install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION share/doc/${name} RENAME copyright COMPONENT ${component})
endforeach()
include(CPack)
