int main(void) {
    double zero = 0.0;
    long x = (long)(zero / zero); //~ false(arithmetic)
    return x == 0;
}
