int main(void) {
    long double x = 1.0L;
    x = x / 3; //~ unknown(unreach-call)
    return x > 1;
}
