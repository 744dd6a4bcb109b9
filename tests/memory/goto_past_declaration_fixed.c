//~ memsafety: true
/* The compiler gives no end for x's life when a goto jumps past its declaration: used in it, it is alive. */
int main(void) {
    int *p = 0, last = 0;
    for (int i = 0; i < 2; i++) {
        if (i == 0)
            goto inside;
        int x;
    inside:
        x = 1;
        p = &x;
        last = *p;
    }
    return last - 1;
}
