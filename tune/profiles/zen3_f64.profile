mikgen-profile 1
# by bench/gemm.sh --type=f64 on AMD EPYC, cpu family 25, model 1, 2 cores; gcc 12.2.0, -O2
engine f64 avx2 band_columns 128 sweep_rows 32 by_rows 65536
