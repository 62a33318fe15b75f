mikgen-profile 1
# by bench/gemm.sh and bench/oracle.sh on AMD EPYC, cpu family 25, model 1, 2 cores; gcc 12.2.0, -O2
engine f32 avx2 band 4 band_columns 65536 sweep_rows 32 by_rows 65536 again 18
move f32 avx2 far 0.25 gather 0.45 far_a 0.004
dot f32 avx2 step 0.26 tile 6.1 sum 0.15
