// CBMC's compiler compares structures.
//~ options: --rules cbmc
struct pair { int a, b; };
int nondet_int(void);

int main(void)
{
    struct pair p = {nondet_int(), 2};
    struct pair q = p;
    __CPROVER_assert((p == q), "a copy");
    q.b = nondet_int();
    __CPROVER_assert((p == q), "changed"); //~ false(unreach-call)
    return 0;
}
