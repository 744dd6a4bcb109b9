//~ termination: false
/* An unsigned number is never below zero. */
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
    unsigned x = __VERIFIER_nondet_uint(), y = __VERIFIER_nondet_uint();
    while (x >= 0 && y >= 0)
        if (__VERIFIER_nondet_int()) x--;
        else y--;
    return 0;
}
