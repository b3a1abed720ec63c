# tests/NAME/*.cpp is one program, test_NAME, which sees src/ as well as include/.
find_package(GTest REQUIRED)
include(GoogleTest)
set(CMAKE_POSITION_INDEPENDENT_CODE OFF)  # else the precompiled header and the programs differ in how they have it
# g++ 12 takes designated initialisers of nested aggregates for uninitialised memory.
add_compile_options($<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
# Compiling these takes much longer than running them (3 CPU seconds at most), so they are not optimised, unlike what they test.
# The others try very many inputs on plain siblings of their own; with ASan and UBSan all but `join` take longer to compile than to run.
set(quick_tests authority base clean cli cluster compare corpus evaluate features fingerprint report)
neardup_precompiled(test_precompiled ${CMAKE_CURRENT_SOURCE_DIR}/precompiled.h GTest::gtest GTest::gmock fmt::fmt)
target_compile_options(test_precompiled PRIVATE -O0)
neardup_precompiled(test_precompiled_optimised ${CMAKE_CURRENT_SOURCE_DIR}/precompiled.h GTest::gtest GTest::gmock fmt::fmt)

add_library(test_main OBJECT support/main.cpp)
target_link_libraries(test_main PRIVATE GTest::gtest GTest::gmock TBB::tbb)

# The tests of some modules are built without what stands above them: under the sanitizers that saves most of the library.
neardup_library(neardup_up_to_simd base simd)
neardup_library(neardup_up_to_text base simd text)
neardup_library(neardup_up_to_arrow base simd text cluster arrow io)
neardup_library(neardup_up_to_io base simd text arrow io)
neardup_library(neardup_up_to_join base simd text features similarity join)
neardup_library(neardup_up_to_features base simd text features)
neardup_library(neardup_up_to_hamming base simd text features fingerprint similarity hamming)

# In `make test` these run under the sanitizers only, the others with assertions only. `make check` builds all of them.
set(sanitized_tests arrow io join)
set(shards 2)  # some tests share what their plain siblings found
add_custom_target(unit_tests)

# neardup_test(NAME SOURCES...)
function(neardup_test name)
  set(library neardup)
  if(TARGET neardup_up_to_${name})
    set(library neardup_up_to_${name})
  endif()
  add_executable(test_${name} ${ARGN})
  if(name IN_LIST sanitized_tests AND CMAKE_BUILD_TYPE STREQUAL "Check")
    set_target_properties(test_${name} PROPERTIES EXCLUDE_FROM_ALL ON)
  endif()
  add_dependencies(unit_tests test_${name})
  target_include_directories(test_${name} PRIVATE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/tests)
  target_link_libraries(test_${name} PRIVATE ${library} test_main GTest::gtest GTest::gmock TBB::tbb fmt::fmt)
  if(name IN_LIST quick_tests OR (NEARDUP_SANITIZE MATCHES "address" AND NOT name STREQUAL "join"))
    target_compile_options(test_${name} PRIVATE -O0)
    target_precompile_headers(test_${name} REUSE_FROM test_precompiled)
  else()
    target_precompile_headers(test_${name} REUSE_FROM test_precompiled_optimised)
  endif()
  # `make test` runs each program in a few processes, as starting one takes longer than most tests do; `ctest -R io.Csv` runs single tests.
  foreach(shard RANGE 1 ${shards})
    math(EXPR index "${shard} - 1")
    add_test(NAME ${name}.${shard}_of_${shards} COMMAND test_${name} --gtest_brief=1)
    set_tests_properties(${name}.${shard}_of_${shards} PROPERTIES LABELS shards ENVIRONMENT "GTEST_TOTAL_SHARDS=${shards};GTEST_SHARD_INDEX=${index}")
  endforeach()
  if(NOT NEARDUP_SANITIZE)
    gtest_discover_tests(test_${name} TEST_PREFIX ${name}. DISCOVERY_TIMEOUT 60 DISCOVERY_MODE PRE_TEST PROPERTIES LABELS single)
  endif()
endfunction()

foreach(name base simd arrow io text features fingerprint similarity cluster join hamming corpus authority search passages report shuffle dedup pairs match extract
        compare clean trim decontaminate evaluate advise index)
  file(GLOB sources CONFIGURE_DEPENDS ${name}/*.cpp)
  if(sources)
    neardup_test(${name} ${sources})
  endif()
endforeach()
# Real pages, where they are at hand.
target_compile_definitions(test_text PRIVATE NEARDUP_DATA="${PROJECT_SOURCE_DIR}/../shared/data")
# What the program reckons with is tested without the program.
file(GLOB sources CONFIGURE_DEPENDS cli/*_test.cpp)
set(program ${PROJECT_SOURCE_DIR}/apps/cli)
neardup_test(cli ${sources} ${program}/columns.cpp ${program}/option_names.cpp ${program}/signals.cpp
  ${program}/time_left.cpp)
target_link_libraries(test_cli PRIVATE ICU::uc)
target_include_directories(test_cli PRIVATE ${PROJECT_SOURCE_DIR}/apps/cli)

# The tokenizer tests of html5lib; `tools/setup.sh references` fetches them.
add_executable(html_tokens text/html5lib/tokens.cpp)
target_include_directories(html_tokens PRIVATE ${PROJECT_SOURCE_DIR}/src)
target_link_libraries(html_tokens PRIVATE neardup_up_to_text)
add_dependencies(unit_tests html_tokens)
add_test(NAME text.html5lib COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/text/html5lib.py $<TARGET_FILE:html_tokens>
                                    ${PROJECT_SOURCE_DIR}/build/references)
set_tests_properties(text.html5lib PROPERTIES SKIP_RETURN_CODE 77 LABELS unit)

# The examples of a page are compiled with the public headers only, and run.
foreach(page README.md docs/library.md)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${page})
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/docs)
  execute_process(COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/docs/examples.py split ${PROJECT_SOURCE_DIR}/${page} ${folder}
                  OUTPUT_VARIABLE examples COMMAND_ERROR_IS_FATAL ANY)
  foreach(name IN LISTS examples)
    add_executable(example-${name} ${folder}/${name}.cpp)
    target_link_libraries(example-${name} PRIVATE neardup)
    add_dependencies(unit_tests example-${name})
    add_test(NAME docs.${name} COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/docs/examples.py run $<TARGET_FILE:example-${name}>
                                       ${folder}/${name}.txt ${PROJECT_SOURCE_DIR}/docs/examples)
  endforeach()
endforeach()
