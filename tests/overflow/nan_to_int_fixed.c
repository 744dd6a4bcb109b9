//~ all: true
int main(void) {
    double zero = 0.0;
    double nan = zero / zero;
    long x = nan == nan ? (long)nan : 0;
    return x != 0;
}
