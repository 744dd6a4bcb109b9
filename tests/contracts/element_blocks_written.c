// Blocks of elements are not named one by one: what `assigns` says of them is not followed, and a proof would let the write to the first pass.
//~ options: --enforce clear
//~ unreach-call: unknown
void clear(int **a, unsigned n)
__CPROVER_requires(n == 2 && __CPROVER_is_fresh(a, n * sizeof(*a)))
__CPROVER_requires(__CPROVER_forall { unsigned k; (0 <= k && k < n) ==> __CPROVER_is_fresh(a[k], sizeof(int)) })
__CPROVER_assigns()
{
    *a[0] = 1;
}
