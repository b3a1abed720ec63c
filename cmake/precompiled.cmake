# Precompiled headers: what most files include is read once instead of once a file. Targets take them with
# target_precompile_headers(TARGET REUSE_FROM neardup_precompiled).
add_compile_options(-pthread)  # some libraries ask for it, and files that share a precompiled header must agree
# ccache sees through a precompiled header only with these.
if(CMAKE_CXX_COMPILER_LAUNCHER MATCHES "ccache$")
  set(CMAKE_CXX_COMPILER_LAUNCHER env CCACHE_SLOPPINESS=pch_defines,time_macros ${CMAKE_CXX_COMPILER_LAUNCHER})
endif()
add_compile_options($<$<COMPILE_LANG_AND_ID:CXX,GNU>:-fpch-preprocess> "$<$<COMPILE_LANG_AND_ID:CXX,Clang>:SHELL:-Xclang -fno-pch-timestamp>")

# neardup_precompiled(TARGET HEADER LIBRARIES...): compiles the header for others to reuse.
function(neardup_precompiled target header)
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/${target}.cpp CONTENT "")  # a target needs a file
  add_library(${target} OBJECT ${PROJECT_BINARY_DIR}/${target}.cpp)
  target_link_libraries(${target} PRIVATE ${ARGN})
  target_precompile_headers(${target} PRIVATE ${header})
endfunction()
neardup_precompiled(neardup_precompiled ${PROJECT_SOURCE_DIR}/cmake/precompiled.h fmt::fmt)
