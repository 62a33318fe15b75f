// options:
// What became nothing in front of a semicolon stays, and is not what a macro in front of it ends with.
#define CODE(d) ((d) < 64 ? B[d] : B[64 + ((d) >> 7)])
#define CHECK(c)
void empty_macro(int *restrict C, const int *restrict B, int n)
{
    for (int i = 0; i < 64; i++) {
        int d = C[i] & 127, code;
        code = CODE(d);
        CHECK(code < 8);
        C[i] = code + n * 3;
    }
}
