# Everything about the program as its users meet it. The runners need Python's standard library only.
# neardup_program_test(NAME SCRIPT ARGUMENTS...)
function(neardup_program_test name script)
  add_test(NAME ${name} COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/${script} ${ARGN})
  set_tests_properties(${name} PROPERTIES SKIP_RETURN_CODE 77)
  if(NEARDUP_SANITIZE)
    set_tests_properties(${name} PROPERTIES ENVIRONMENT NEARDUP_SANITIZED=1)
  endif()
endfunction()

set(program $<TARGET_FILE:neardup_cli>)
# The runners start the program by its path; built for another architecture it needs the emulator before it.
if(CMAKE_CROSSCOMPILING)
  set(program ${PROJECT_BINARY_DIR}/emulated/neardup)
  list(JOIN CMAKE_CROSSCOMPILING_EMULATOR "' '" emulator)
  file(GENERATE OUTPUT ${program} CONTENT "#!/bin/sh\nexec '${emulator}' '$<TARGET_FILE:neardup_cli>' \"$@\"\n"
       FILE_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
endif()
file(GLOB cases CONFIGURE_DEPENDS cli/*.test)
foreach(file IN LISTS cases)
  cmake_path(GET file STEM name)
  neardup_program_test(cli.${name} cli/run.py ${program} ${file})
endforeach()
foreach(name signals resume described terminal)
  neardup_program_test(cli.${name} cli/${name}.py ${program})
endforeach()
neardup_program_test(cli.readme cli/readme.py ${program} ${PROJECT_SOURCE_DIR}/README.md)
neardup_program_test(cli.cookbook cli/readme.py ${program} ${PROJECT_SOURCE_DIR}/docs/cookbook.md)
neardup_program_test(clean.oracle clean/oracle.py ${program})
neardup_program_test(authority.pagerank authority/pagerank.py ${program} ${PROJECT_SOURCE_DIR}/build/references)  # tools/setup.sh references
# What reads and writes Parquet and Arrow files; without pyarrow (tools/setup.sh arrow) these are skipped.
foreach(name rows damage datasets remote)
  neardup_program_test(columns.${name} columns/${name}.py ${program} ${PROJECT_SOURCE_DIR}/build)
endforeach()
# An outside program cannot link a library that was built with sanitizers or for coverage; packages are made and tried
# on the architecture that they are for.
if(NOT NEARDUP_SANITIZE AND NOT CMAKE_CXX_FLAGS MATCHES "--coverage" AND NOT CMAKE_CROSSCOMPILING)
  neardup_program_test(install install/run.py --cmake ${CMAKE_COMMAND} --cxx ${CMAKE_CXX_COMPILER} --build ${PROJECT_BINARY_DIR})
  neardup_program_test(package package/run.py --cmake ${CMAKE_COMMAND} --cpack ${CMAKE_CPACK_COMMAND} --build ${PROJECT_BINARY_DIR})
endif()
