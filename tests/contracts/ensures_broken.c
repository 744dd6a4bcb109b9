// The greatest element may be negative.
//~ options: --enforce greatest
int greatest(const int *a, unsigned n)
__CPROVER_requires(0 < n && n <= 3 && __CPROVER_is_fresh(a, n * sizeof(int)))
__CPROVER_assigns()
__CPROVER_ensures(__CPROVER_return_value >= 0) //~ false(unreach-call)
{
    int most = a[0];
    for (unsigned i = 1; i < n; i++)
        if (a[i] > most) most = a[i];
    return most;
}
