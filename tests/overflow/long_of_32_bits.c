//~ options: --data-model ILP32
int main(void) {
    long x = 2147483647L;
    x = x + 1; //~ false(no-overflow)
    return x == 0;
}
