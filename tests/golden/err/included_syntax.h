static float g(float x)
{
    retrn x;
}
