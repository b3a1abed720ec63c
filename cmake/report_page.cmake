# The page of `report.html` becomes part of the library: neardup_report_page(TARGET) puts assets/ together and defines
# page_before_data() and page_after_data() (src/report/page/page_template.h).
#
# Included, this file defines the command; run as a script (cmake -P), it writes the C++ file. The content security
# policy of the page allows the one script and the one style by their hashes.

function(neardup_report_page target)
  set(folder ${PROJECT_SOURCE_DIR}/src/report/page/assets)
  set(output ${PROJECT_BINARY_DIR}/report_page.cpp)
  add_custom_command(OUTPUT ${output} VERBATIM
                     COMMAND ${CMAKE_COMMAND} -DFOLDER=${folder} -DOUTPUT=${output} -P ${PROJECT_SOURCE_DIR}/cmake/report_page.cmake
                     DEPENDS ${folder}/page.html ${folder}/page.css ${folder}/page.js ${PROJECT_SOURCE_DIR}/cmake/report_page.cmake)
  set_source_files_properties(${output} PROPERTIES SKIP_PRECOMPILE_HEADERS ON SKIP_UNITY_BUILD_INCLUSION ON)
  target_sources(${target} PRIVATE ${output})
endfunction()

if(NOT CMAKE_SCRIPT_MODE_FILE STREQUAL CMAKE_CURRENT_LIST_FILE)
  return()
endif()

# The SHA-256 of a file as a policy names it: base64 of 64 hexadecimal digits, three of which are two characters.
function(policy_hash file result)
  set(alphabet "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
  file(SHA256 ${file} digits)
  set(text "")
  foreach(place RANGE 0 60 3)
    string(SUBSTRING ${digits} ${place} 3 three)
    math(EXPR high "0x${three} >> 6")
    math(EXPR low "0x${three} & 63")
    string(SUBSTRING ${alphabet} ${high} 1 first)
    string(SUBSTRING ${alphabet} ${low} 1 second)
    string(APPEND text ${first}${second})
  endforeach()
  string(SUBSTRING ${digits} 63 1 last)
  math(EXPR high "0x${last} << 2")
  string(SUBSTRING ${alphabet} ${high} 1 first)
  set(${result} "sha256-${text}${first}=" PARENT_SCOPE)
endfunction()

file(READ ${FOLDER}/page.html page)
file(READ ${FOLDER}/page.css style)
file(READ ${FOLDER}/page.js script)
policy_hash(${FOLDER}/page.css style_hash)
policy_hash(${FOLDER}/page.js script_hash)
string(REPLACE "{{style_hash}}" "${style_hash}" page "${page}")
string(REPLACE "{{script_hash}}" "${script_hash}" page "${page}")
string(REPLACE "{{style}}" "${style}" page "${page}")
string(FIND "${page}" "{{data}}" at)
string(SUBSTRING "${page}" 0 ${at} before)
math(EXPR at "${at} + 8")
string(SUBSTRING "${page}" ${at} -1 after)
string(REPLACE "{{script}}" "${script}" after "${after}")

set(functions "")
foreach(part before after)
  file(WRITE ${OUTPUT}.${part} "${${part}}")
  file(READ ${OUTPUT}.${part} bytes HEX)
  file(REMOVE ${OUTPUT}.${part})
  string(LENGTH "${bytes}" digits)
  math(EXPR size "${digits} / 2")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
  string(APPEND functions "
std::string_view page_${part}_data() {
  static constexpr unsigned char kBytes[] = {${bytes}};
  return {reinterpret_cast<const char*>(kBytes), ${size}};
}
")
endforeach()
file(WRITE ${OUTPUT} "#include \"report/page/page_template.h\"

namespace neardup::report {
${functions}
}  // namespace neardup::report
")
