// mikgen: --extract=macro -DROWS=40 -DCOLUMNS=30 --extent=scale:COLUMNS
/* Macros of the command line are so in what calls the spec's code and is compiled likewise: their parameters are called something else. */
enum { DEPTH = 20 };
void macro(double a[ROWS][COLUMNS], const double *scale, double b[DEPTH])
{
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++)
            a[i][j] *= scale[j] + COLUMNS;
    for (int i = 0; i < DEPTH; i++)
        b[i] = 0;
}
