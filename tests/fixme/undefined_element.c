//~ no-overflow: unknown
/* The element was never set and may be the least int. The solver says so, but its run does not come out as it says. */
int main(void) {
    int *made = __builtin_alloca(11 * sizeof(int));
    return made[10] - 1;
}
