// A computed goto gets past a declaration, in a later life of the block: the local holds nothing.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void)
{
    int rounds = 0;
    void *const labels[] = {&&declared, &&past};
again:;
    int next = __VERIFIER_nondet_int() & 1;
    {
        goto *labels[next];
    declared:;
        int kept = 1;
    past:
        if (rounds++ == 0) kept = 1;
        if (kept != 1) reach_error(); //~ unknown(unreach-call)
    }
    if (rounds < 3) goto again;
    return 0;
}
