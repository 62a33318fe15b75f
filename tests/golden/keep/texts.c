// Whose text stands for it: macros, several declarators, comments, pragmas.
#define STEP(x) x += 1
#define SWAP(x, y) do { int t = x; x = y; y = t; } while (0)
#define HALF ; a[0] = 2; a[1] =
extern "C" { int not_in_c(void); }
/* no function */
void f(int *a, int n)
{
    /* first */ int one = 1, two = 2; // behind
    const long
        wide = 0x10 + one;
    // before the loop
#pragma GCC unroll 4
    /* between */
#pragma GCC ivdep
    for (int i = 0; i < n; i++) { // at the brace
        STEP(a[i]);
        SWAP(a[0], a[i]);
        a[i] = 3 HALF 4 /* in it */ + 1;
        // at the end
    }
#pragma clang loop unroll_count(1)
    for (int i = 0; i < n; i++)
        a[i] = (long)two + wide;
#pragma unroll(2)
    while (a[0])
#pragma mikgen hint(n, 0, 100)
        STEP(a[0]);
}
int no_loop(int n)
{
    goto out;
out:
    return n;
}
