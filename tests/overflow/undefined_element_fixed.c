//~ no-overflow: true
int main(void) {
    int *made = __builtin_alloca(11 * sizeof(int));
    made[10] = 0;
    return made[10] - 1;
}
