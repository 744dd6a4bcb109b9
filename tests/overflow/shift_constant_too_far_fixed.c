//~ all: true
int main(void) {
    long x = 1L << 40;
    return x != 1099511627776L;
}
