// A bound that is wider than the variable: the loop that asks each element ends all the same, and what comes after it is reached.
//~ options: --enforce look
//~ unreach-call: unknown
void look(unsigned n, unsigned long more)
__CPROVER_requires(more == 1ul << 33 && n == 3)
__CPROVER_requires(__CPROVER_forall { unsigned k; 0 <= k && k < (unsigned)n + more ==> n == 3 })
__CPROVER_assigns()
{
    __CPROVER_assert(0, "reached");
}
