// A write to a global that the contract does not allow, in a function that is called.
//~ options: --enforce store
int count, other;
static void note(void) { other++; } //~ false(unreach-call)
void store(int *p)
__CPROVER_requires(__CPROVER_is_fresh(p, sizeof(*p)))
__CPROVER_assigns(*p, count)
{
    *p = 1;
    count = 2;
    if (*p == 1) note();
}
