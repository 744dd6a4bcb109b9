// One of twenty loops writes behind its buffer.
int __VERIFIER_nondet_int(void);
#define L(n, size) \
    static char b##n[size]; \
    static void f##n(int k) { \
        int i = 0; \
        while (i < size - 1 && i != k) { \
            b##n[i] = (char)k; \
            i++; \
        } \
        b##n[i] = 0; \
    }
L(0, 100)
L(1, 101)
L(2, 102)
L(3, 103)
L(4, 104)
L(5, 105)
L(6, 106)
L(7, 107)
L(8, 108)
L(9, 109)
L(10, 110)
L(11, 111)
L(12, 112)
L(14, 114)
L(15, 115)
L(16, 116)
L(17, 117)
L(18, 118)
L(19, 119)
static char b13[113];
static void f13(int k) {
    int i = 0;
    while (i < 113 && i != k) {
        b13[i] = (char)k;
        i++;
    }
    b13[i] = 0; //~ false(valid-deref)
}
int main(void) {
    f0(__VERIFIER_nondet_int());
    f1(__VERIFIER_nondet_int());
    f2(__VERIFIER_nondet_int());
    f3(__VERIFIER_nondet_int());
    f4(__VERIFIER_nondet_int());
    f5(__VERIFIER_nondet_int());
    f6(__VERIFIER_nondet_int());
    f7(__VERIFIER_nondet_int());
    f8(__VERIFIER_nondet_int());
    f9(__VERIFIER_nondet_int());
    f10(__VERIFIER_nondet_int());
    f11(__VERIFIER_nondet_int());
    f12(__VERIFIER_nondet_int());
    f13(__VERIFIER_nondet_int());
    f14(__VERIFIER_nondet_int());
    f15(__VERIFIER_nondet_int());
    f16(__VERIFIER_nondet_int());
    f17(__VERIFIER_nondet_int());
    f18(__VERIFIER_nondet_int());
    f19(__VERIFIER_nondet_int());
    return 0;
}
