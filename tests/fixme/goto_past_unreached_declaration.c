//~ memsafety: unknown(scope)
/* As before, but the declaration itself is never reached, so that the compiler does not even name x. */
int main(void) {
    int *p = 0;
    {
        goto inside;
        int x;
    inside:
        x = 1;
        p = &x;
    }
    return *p - 1;
}
