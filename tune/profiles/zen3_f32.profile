mikgen-profile 1
# by bench/gemm.sh and bench/oracle.sh on AMD EPYC, cpu family 25, model 1, 2 cores; gcc 12.2.0, -O2
engine f32 avx2 band_columns 256 sweep_rows 32 by_rows 65536
move f32 avx2 far 0.25
