//~ unreach-call: true
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int);

int main(void) {
    int a[5000], greatest = 0;
    for (int i = 0; i < 5000; i++) a[i] = __VERIFIER_nondet_int();
    for (int i = 0; i < 5000; i++) {
        if (a[i] > greatest) greatest = a[i];
    }
    for (int i = 0; i < 5000; i++) {
        __VERIFIER_assert(a[i] <= greatest);
    }
    return 0;
}
