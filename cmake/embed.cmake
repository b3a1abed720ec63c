# Files that become part of the program: neardup_embed(TARGET FUNCTION FOLDER FILES...) defines the function
# neardup::server::FUNCTION() (apps/server/assets.h), which lists the files by their paths below FOLDER, each compressed.
#
# Included, this file defines the command; run as a script (cmake -P), it writes the C++ file.

function(neardup_embed target function folder)
  set(output ${CMAKE_CURRENT_BINARY_DIR}/${function}.cpp)
  list(TRANSFORM ARGN PREPEND ${folder}/ OUTPUT_VARIABLE paths)
  list(JOIN ARGN "|" files)
  add_custom_command(OUTPUT ${output} VERBATIM
                     COMMAND ${CMAKE_COMMAND} -DFUNCTION=${function} -DFOLDER=${folder} "-DFILES=${files}" -DOUTPUT=${output}
                             -P ${PROJECT_SOURCE_DIR}/cmake/embed.cmake
                     DEPENDS ${paths} ${PROJECT_SOURCE_DIR}/cmake/embed.cmake)
  set_source_files_properties(${output} PROPERTIES SKIP_PRECOMPILE_HEADERS ON SKIP_UNITY_BUILD_INCLUSION ON)
  target_sources(${target} PRIVATE ${output})
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/apps/server)
endfunction()

if(NOT CMAKE_SCRIPT_MODE_FILE STREQUAL CMAKE_CURRENT_LIST_FILE)
  return()
endif()

string(REPLACE "|" ";" FILES "${FILES}")
set(arrays "")
set(rows "")
set(number 0)
foreach(file IN LISTS FILES)
  # A fixed time makes the bytes depend on the contents alone.
  file(ARCHIVE_CREATE OUTPUT ${OUTPUT}.gz PATHS ${FOLDER}/${file} FORMAT raw COMPRESSION GZip COMPRESSION_LEVEL 9 MTIME "2020-01-01 00:00:00")
  file(READ ${OUTPUT}.gz bytes HEX)
  file(REMOVE ${OUTPUT}.gz)
  file(MD5 ${FOLDER}/${file} hash)
  string(LENGTH "${bytes}" digits)
  math(EXPR size "${digits} / 2")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
  string(APPEND arrays "constexpr unsigned char kFile${number}[] = {${bytes}};\n")
  string(APPEND rows "    {\"/${file}\", \"\\\"${hash}\\\"\", view(kFile${number}, ${size})},\n")
  math(EXPR number "${number} + 1")
endforeach()

set(table "  return {};\n")
if(number GREATER 0)
  set(table "  static const Asset kAssets[] = {\n${rows}  };\n  return kAssets;\n")
endif()
file(WRITE ${OUTPUT} "#include \"assets.h\"

namespace neardup::server {
namespace {

${arrays}
[[maybe_unused]] std::string_view view(const unsigned char* bytes, std::size_t size) {
  return {reinterpret_cast<const char*>(bytes), size};
}

}  // namespace

std::span<const Asset> ${FUNCTION}() {
${table}}

}  // namespace neardup::server
")
