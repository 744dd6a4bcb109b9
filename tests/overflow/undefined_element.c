/* The element was never set and may be the least int. */
int main(void) {
    int *made = __builtin_alloca(11 * sizeof(int));
    return made[10] - 1; //~ false(no-overflow)
}
