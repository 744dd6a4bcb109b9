//~ options: --engines graph
//~ memsafety: true
// A number that is cut off at a constant stays within it, however often the loop is passed.
extern int __VERIFIER_nondet_int(void);

int main(void) {
    struct { unsigned a : 4, b : 12; } s;
    int eleven[11] = {0}, eight[8] = {0};
    int n = __VERIFIER_nondet_int(), x = 0;
    s.a = __VERIFIER_nondet_int();
    s.b = 3;
    for (int i = 0; i < n; i++) {
        x += 3;
        if (x > 10) x = 10;
        eleven[x] = i;
        s.b = i & 7;
    }
    return eleven[x] + eight[s.b];
}
