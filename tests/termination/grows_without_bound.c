//~ options: --integers unbounded
/* Among all integers this never ends, though no state recurs. */
int main(void) {
    int x = 1;
    while (x > 0) //~ false(termination)
        x = x * 2;
    return 0;
}
