# One file per instruction set; everything else is built for the x86-64 baseline.
set_source_files_properties(${PROJECT_SOURCE_DIR}/src/simd/kernels_avx2.c PROPERTIES COMPILE_OPTIONS "-mavx2;-mbmi;-mbmi2;-mpopcnt")
set_source_files_properties(${PROJECT_SOURCE_DIR}/src/simd/kernels_avx512.c PROPERTIES COMPILE_OPTIONS
                            "-mavx512f;-mavx512bw;-mavx512dq;-mavx512vl;-mavx512vpopcntdq;-mavx2;-mbmi;-mbmi2;-mpopcnt")
