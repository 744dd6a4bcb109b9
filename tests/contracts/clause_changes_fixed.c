//~ options: --enforce look
//~ memsafety: true
//~ unreach-call: true
static int small(int n) { return 0 < n && n < 10; }
int look(int n)
__CPROVER_requires(small(n))
__CPROVER_assigns()
__CPROVER_ensures(__CPROVER_return_value == __CPROVER_old(small(n)))
{
    __CPROVER_assert(n < 10, "as required");
    return small(n);
}
