//~ options: --integers machine
//~ termination: true
/* The value wraps to a negative one. */
int main(void) {
    int x = 1;
    while (x > 0)
        x = x * 2; //~ false(no-overflow)
    return 0;
}
