//~ options: --enforce look
struct pair { int n; int *q; };
int look(struct pair *p)
__CPROVER_requires(__CPROVER_is_fresh(p, sizeof *p))
__CPROVER_requires(p->q == 0 || p->n > 3)
__CPROVER_requires(__CPROVER_is_fresh(p->q, 4))
__CPROVER_assigns()
{
    __CPROVER_assert(p->n > 4, "not said"); //~ false(unreach-call)
    return 0;
}
