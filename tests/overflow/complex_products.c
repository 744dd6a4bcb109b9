// Parts of complex integers overflow like other signed integers; compilers check none of them, and do not say whether their type is signed: wherever a part comes from, there is no verdict.
//~ no-overflow: unknown
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int y = __VERIFIER_nondet_int(), x = __VERIFIER_nondet_int();
    _Complex int turned = y * 2i;
    _Complex int less = (x + 0i) - (y + 0i);
    return __imag__ turned == 7 && __real__ less == 3;
}
