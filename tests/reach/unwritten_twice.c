//~ unreach-call: false(unreach-call)
// As unwritten_twice_fixed.c, but it is not written again: what a declaration leaves is another value each time.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int i = 0;
    unsigned char first = 0;
    if (__VERIFIER_nondet_int())
        goto in;
again:;
    unsigned char a[4];
    if (i == 0) {
        first = a[0];
        a[0] = first + 1;
        i = 1;
        goto again;
    }
    if (a[0] != first)
        reach_error();
    return 0;
in:
    return 1;
}
