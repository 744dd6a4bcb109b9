// As complex_products.c, with numbers that are small.
//~ no-overflow: true
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int y = __VERIFIER_nondet_int(), x = __VERIFIER_nondet_int();
    if (y < -1000 || y > 1000 || x < -1000 || x > 1000)
        return 0;
    _Complex int turned = y * 2i;
    _Complex int less = (x + 0i) - (y + 0i);
    return __imag__ turned == 7 && __real__ less == 3;
}
