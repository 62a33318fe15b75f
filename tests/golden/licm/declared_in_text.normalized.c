// options:
// What a declaration that stays as text declares has a value from there on only: nothing that reads it passes the text.
void declared_in_text(int *restrict C, const int *restrict B, int n, int m)
{
  int kept[8] = {0};
  for (int j = 0; j < n; j++) {
    int table[8] = {0}, b = m;
    for (int i = 0; i < 64; i++) {
      C[i] = b * 3 + table[i & 7] + kept[j & 7];
    }
  }
}
