//~ all: true
int main(void) {
    long x = -256;
    int n = 63;
    return (int)(x >> n) + 1;
}
