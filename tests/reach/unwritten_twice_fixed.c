//~ unreach-call: true
// A declaration that is reached again leaves anything in the variable; it is written before it is read.
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
        i = 1;
        goto again;
    }
    a[0] = first;
    if (a[0] != first)
        reach_error();
    return 0;
in:
    return 1;
}
