//~ options: --enforce both
//~ unreach-call: true
// An element of a table leads to a function.
int both(int (*table[2])(int))
__CPROVER_requires(__CPROVER_is_fresh(table, 2 * sizeof *table))
__CPROVER_requires(__BELAY_is_function(table[0]))
__CPROVER_assigns()
{
    __CPROVER_assert(table[0] != 0, "there");
    return 0;
}
