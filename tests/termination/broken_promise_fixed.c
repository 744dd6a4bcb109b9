// As broken_promise.c, but the promise is kept.
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    while (n > 0) {
        if (n < 0)
            __builtin_unreachable();
        n--;
    }
    return 0;
}

//~ termination: true
