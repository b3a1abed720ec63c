# Every library neardup links, all from Debian 12. docs/decisions/ says why each one.
find_package(Threads REQUIRED)
find_package(PkgConfig REQUIRED)
find_package(fmt REQUIRED)
find_package(simdjson REQUIRED)
find_package(ZLIB REQUIRED)
find_package(TBB REQUIRED)
find_package(BZip2 REQUIRED)
find_package(LibLZMA REQUIRED)
find_package(LibArchive REQUIRED)
find_package(ICU REQUIRED COMPONENTS uc)
find_package(CLI11 REQUIRED)
pkg_check_modules(zstd REQUIRED IMPORTED_TARGET libzstd)
pkg_check_modules(xxhash REQUIRED IMPORTED_TARGET libxxhash)
pkg_check_modules(lz4 REQUIRED IMPORTED_TARGET liblz4)
pkg_check_modules(brotli REQUIRED IMPORTED_TARGET libbrotlidec)
pkg_check_modules(rocksdb REQUIRED IMPORTED_TARGET rocksdb)
# Loading RocksDB's shared library takes as long as the rest of starting the program.
find_library(ROCKSDB_STATIC librocksdb.a)
find_library(SNAPPY snappy)
if(ROCKSDB_STATIC AND SNAPPY)
  set_target_properties(PkgConfig::rocksdb PROPERTIES INTERFACE_LINK_LIBRARIES
    "${ROCKSDB_STATIC};${SNAPPY};PkgConfig::lz4;PkgConfig::zstd;ZLIB::ZLIB;BZip2::BZip2;${CMAKE_DL_LIBS}")
endif()
pkg_check_modules(re2 REQUIRED IMPORTED_TARGET re2)
pkg_check_modules(uchardet REQUIRED IMPORTED_TARGET uchardet)

# libstemmer brings neither CMake files nor a pkg-config file.
find_library(STEMMER_LIBRARY stemmer REQUIRED)
find_path(STEMMER_INCLUDE_DIR libstemmer.h REQUIRED)
add_library(stemmer::stemmer UNKNOWN IMPORTED)
set_target_properties(stemmer::stemmer PROPERTIES IMPORTED_LOCATION ${STEMMER_LIBRARY}
                      INTERFACE_INCLUDE_DIRECTORIES ${STEMMER_INCLUDE_DIR})
# Nor does it say its version; what comes behind .so. in the library's own name does.
file(REAL_PATH ${STEMMER_LIBRARY} STEMMER_VERSION)
string(REGEX REPLACE ".*\\.so\\.?" "" STEMMER_VERSION ${STEMMER_VERSION})
