# One file per instruction set; everything else is built for the baseline of the architecture. What is for other
# architectures is not compiled.
set(kernels_x86_64 avx2 avx512)
set(kernels_aarch64 neon)
foreach(architecture x86_64 aarch64)
  if(NOT CMAKE_SYSTEM_PROCESSOR STREQUAL architecture)
    foreach(name IN LISTS kernels_${architecture})
      set_source_files_properties(${PROJECT_SOURCE_DIR}/src/simd/kernels_${name}.c PROPERTIES HEADER_FILE_ONLY ON)
    endforeach()
  endif()
endforeach()
set_source_files_properties(${PROJECT_SOURCE_DIR}/src/simd/kernels_avx2.c PROPERTIES COMPILE_OPTIONS "-mavx2;-mbmi;-mbmi2;-mpopcnt")
set_source_files_properties(${PROJECT_SOURCE_DIR}/src/simd/kernels_avx512.c PROPERTIES COMPILE_OPTIONS
                            "-mavx512f;-mavx512bw;-mavx512dq;-mavx512vl;-mavx512vpopcntdq;-mavx2;-mbmi;-mbmi2;-mpopcnt")
# g++ 12's thread sanitizer breaks AVX-512 code: a kernel that it instruments reports matches that are none. Kernels have no threads.
if(NEARDUP_SANITIZE STREQUAL "thread")
  target_compile_options(neardup_simd PRIVATE -fno-sanitize=thread)
endif()
