//~ all: true
int main(void) {
    int n = -1;
    int m = n < 0 ? 8 << -n : 8 >> n;
    return m - 16;
}
