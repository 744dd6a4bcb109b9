//~ options: --enforce both
//~ unreach-call: unknown
// As functions_of_elements_fixed.c, but for all elements at once: they would be one function.
int both(int (*table[2])(int))
__CPROVER_requires(__CPROVER_is_fresh(table, 2 * sizeof *table))
__CPROVER_requires(__CPROVER_forall { unsigned k; (0 <= k && k < 2) ==> __BELAY_is_function(table[k]) })
__CPROVER_assigns()
{
    __CPROVER_assert(table[0] != 0, "there");
    return 0;
}
