// `a && b || c` is no range: `3 || z` is no bound.
//~ options: --enforce clear
//~ unreach-call: unknown(range of a quantifier)
void clear(int *a, int z)
__CPROVER_requires(z == 0)
__CPROVER_requires(__CPROVER_is_fresh(a, 3 * sizeof(int)))
__CPROVER_assigns(__CPROVER_object_whole(a))
__CPROVER_ensures(__CPROVER_forall { int k; 0 <= k && k < 3 || z ==> a[k] == 0 })
{
    a[0] = 0;
    a[1] = 1;
    a[2] = 2;
}
