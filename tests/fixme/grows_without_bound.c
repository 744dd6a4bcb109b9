//~ options: --integers unbounded --time-limit 2
//~ termination: unknown
/* Among all integers this never ends, but no state recurs. */
int main(void) {
    int x = 1;
    while (x > 0)
        x = x * 2;
    return 0;
}
