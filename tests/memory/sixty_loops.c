// One of sixty loops goes one element too far: its buffer is one shorter than the others are.
//~ memsafety: false(valid-deref)
//~ options: --time-limit 20
int __VERIFIER_nondet_int(void);
#define LOOP(n) \
    static char b##n[(n == 47 ? 99 : 100) + n]; \
    static void fill##n(int k) { \
        int i = 0; \
        while (i < 99 + n && i != k) { b##n[i] = (char)k; i++; } \
        b##n[i] = 0; \
    }
#define TEN(M, t) M(t##0) M(t##1) M(t##2) M(t##3) M(t##4) M(t##5) M(t##6) M(t##7) M(t##8) M(t##9)
TEN(LOOP, 1) TEN(LOOP, 2) TEN(LOOP, 3) TEN(LOOP, 4) TEN(LOOP, 5) TEN(LOOP, 6)
#define CALL(n) fill##n(__VERIFIER_nondet_int());
int main(void) {
    TEN(CALL, 1) TEN(CALL, 2) TEN(CALL, 3) TEN(CALL, 4) TEN(CALL, 5) TEN(CALL, 6)
    return 0;
}
