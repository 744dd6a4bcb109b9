// What is said of a pointer holds of the block that a later clause makes for it.
//~ options: --enforce look
//~ memsafety: true
//~ unreach-call: true
struct pair { int n; int *q; };
int look(struct pair *p, int *r, unsigned n)
__CPROVER_requires(__CPROVER_is_fresh(p, sizeof *p))
__CPROVER_requires(p->q == 0 || p->n > 3)
__CPROVER_requires(__CPROVER_is_fresh(p->q, 4))
__CPROVER_requires(n < 100)
__CPROVER_requires(r != 0 ==> n > 0)
__CPROVER_requires(r == 0 || __CPROVER_is_fresh(r, n * sizeof(int)))
__CPROVER_assigns()
{
    __CPROVER_assert(p->n > 3, "as the block is there");
    return r ? r[0] : 0;
}
