//~ all: true
int main(void) {
    long long x = 3000000000LL;
    long long y = x * x;
    return y != 9000000000000000000LL;
}
