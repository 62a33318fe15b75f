// options: --licm-loads=proven
static int lg_sum = 1;
void loads_global(const int *A) {
  for (int i = 0; i < 16; ++i)
    lg_sum += A[0] % 100 + 1;
}
