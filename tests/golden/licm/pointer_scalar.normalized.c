// A pointer may lead to a variable of the file, or to one whose address is taken.
int last_index;
void pointer_scalar(int *p, int n) {
  int k = 3;
  int *q = &k;
  for (int i = 0; i < n; ++i) {
    p[i] = last_index * 5 + i;
  }
  for (int i = 0; i < n; ++i) {
    *q += i;
    p[i] = k * 5 + i;
  }
}
