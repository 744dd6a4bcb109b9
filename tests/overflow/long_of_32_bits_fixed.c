//~ options: --data-model LP64
//~ all: true
int main(void) {
    long x = 2147483647L;
    x = x + 1;
    return x != 2147483648L;
}
