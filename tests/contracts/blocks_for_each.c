// The same one by one: the write is not allowed.
//~ options: --enforce set
//~ unreach-call: false
void set(int **a)
__CPROVER_requires(__CPROVER_is_fresh(a, 2 * sizeof(int *)))
__CPROVER_requires(__CPROVER_is_fresh(a[0], sizeof(int)) && __CPROVER_is_fresh(a[1], sizeof(int)))
__CPROVER_assigns()
{
    *a[0] = 1;
}
