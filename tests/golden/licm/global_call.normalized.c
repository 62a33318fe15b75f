static int gc_state = 1;
static void gc_step(void) {
  gc_state = gc_state * 7 % 31;
}
void global_call(int *restrict C) {
  for (int i = 0; i < 8; ++i) {
    gc_step();
    for (int j = 0; j < 8; ++j) {
      C[i * 8 + j] = gc_state % 5 + j;
    }
  }
}
