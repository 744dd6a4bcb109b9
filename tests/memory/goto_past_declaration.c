/* The compiler gives no end for x's life when a goto jumps past its declaration: it is that of the loop's body. */
int main(void) {
    int *p = 0;
    for (int i = 0; i < 2; i++) {
        if (i == 0)
            goto inside;
        int x;
    inside:
        x = 1;
        p = &x;
    }
    return *p - 1; //~ false(valid-deref)
}
