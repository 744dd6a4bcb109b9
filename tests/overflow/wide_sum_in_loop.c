//~ options: --data-model ILP32
// In 32-bit code a check hands wide values to its handler by address; that is no use of a local.
int main(void) {
    long long sum = 9223372036854775800;
    for (int i = 0; i < 10; i++) {
        sum = sum + i; //~ false(no-overflow)
    }
    return sum > 0;
}
