// As left_by_invalid_access.c, but the loop ends by itself, before or after the access that may be invalid.
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int a[2], i = 0, n = __VERIFIER_nondet_int();
    while (i < n) {
        a[i] = n;
        i++;
    }
    return 0;
}

//~ termination: true
