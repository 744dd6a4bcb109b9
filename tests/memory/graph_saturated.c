// As its twin, but the number is cut off too late.
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int eleven[11] = {0};
    int n = __VERIFIER_nondet_int(), x = 0;
    for (int i = 0; i < n; i++) {
        x += 3;
        if (x > 11) x = 11;
        eleven[x] = i; //~ false(valid-deref)
    }
    return eleven[x];
}
