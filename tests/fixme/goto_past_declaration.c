//~ memsafety: unknown(scope)
/* The compiler gives no end for x's life when a goto jumps past its declaration. */
int main(void) {
    int *p = 0;
    int again = 1;
    {
        goto inside;
        int x;
    inside:
        x = 1;
        p = &x;
    }
    if (again)
        return *p - 1;
    return 0;
}
