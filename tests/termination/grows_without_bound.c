//~ options: --integers unbounded
//~ termination: false
/* Among all integers this never ends, though no state recurs. */
int main(void) {
    int x = 1;
    while (x > 0)
        x = x * 2;
    return 0;
}
