// Blocks for all elements have no names: nobody would ask what is written to each of them.
//~ options: --enforce set
//~ unreach-call: unknown(blocks for all)
void set(int **a)
__CPROVER_requires(__CPROVER_is_fresh(a, 2 * sizeof(int *)))
__CPROVER_requires(__CPROVER_forall { int k; 0 <= k && k < 2 ==> __CPROVER_is_fresh(a[k], sizeof(int)) })
__CPROVER_assigns()
{
    *a[0] = 1;
}
