// A contract with a range of elements, an old value and a loop's invariant.
//~ options: --enforce sum
//~ unreach-call: true
//~ memsafety: true
int sum(const int *a, unsigned n, int *calls)
__CPROVER_requires(n <= 4)
__CPROVER_requires(__CPROVER_is_fresh(a, n * sizeof(int)))
__CPROVER_requires(__CPROVER_is_fresh(calls, sizeof(int)))
__CPROVER_requires(__CPROVER_forall { unsigned k; (0 <= k && k < n) ==> (0 <= a[k] && a[k] < 10) })
__CPROVER_assigns(*calls)
__CPROVER_ensures(__CPROVER_return_value >= 0 && __CPROVER_return_value <= 9 * (int)n)
__CPROVER_ensures((unsigned)*calls == (unsigned)__CPROVER_old(*calls) + 1u)
{
    int s = 0;
    for (unsigned i = 0; i < n; i++)
    __CPROVER_loop_invariant(i <= n && s >= 0 && s <= 9 * (int)i)
    __CPROVER_decreases(n - i)
    {
        s += a[i];
    }
    *calls = (int)((unsigned)*calls + 1u);
    return s;
}
