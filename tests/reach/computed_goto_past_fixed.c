// Each label that a computed goto leads to stands before what its block declares.
//~ memsafety: true
//~ unreach-call: true
//~ no-overflow: true
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void)
{
    static const unsigned char code[] = {0, 1, 0, 2};
    const unsigned char *at = code;
    void *const labels[] = {&&add, &&twice, &&stop};
    int sum = 0;
    goto *labels[*at++];
add: {
    int more = __VERIFIER_nondet_int() & 7;
    if (more > 3) more = 3;
    int kept = more;
    sum += kept;
    goto *labels[*at++];
}
twice: {
    int half = sum;
    sum += half;
    goto *labels[*at++];
}
stop:
    if (sum > 9) reach_error();
    return 0;
}
