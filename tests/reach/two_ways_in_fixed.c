//~ unreach-call: true
//~ memsafety: true
//~ termination: true
// A loop that is entered at two places.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int i = 0, sum = 0, n = __VERIFIER_nondet_int();
    if (n < 0 || n > 1000000)
        return 0;
    if (__VERIFIER_nondet_int())
        goto middle;
begin:
    if (i >= n)
        goto end;
    sum = sum < 100 ? sum + 1 : 0;
middle:
    i++;
    if (sum > 100)
        reach_error();
    goto begin;
end:
    return sum;
}
