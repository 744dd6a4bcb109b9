int main(void) {
    long long x = 4000000000LL;
    long long y = x * x; //~ false(no-overflow)
    return y == 0;
}
