int main(void) {
    long x = 1;
    int n = 64;
    return (int)(x >> n); //~ false(arithmetic)
}
