// The same, where what it says is taken for an index: it may be any number.
//~ options: --enforce find
//~ memsafety: false
struct order {
    int (*compare)(const void *, const void *);
    void (*seen)(int);
};
long find(const int *key, const int *a, unsigned n, const struct order *order)
__CPROVER_requires(n == 10 && __CPROVER_is_fresh(key, sizeof(*key)) && __CPROVER_is_fresh(a, n * sizeof(*a)))
__CPROVER_requires(__CPROVER_is_fresh(order, sizeof(*order)) && __BELAY_is_function(order->compare))
__CPROVER_requires(order->seen == 0 || __BELAY_is_function(order->seen))
__CPROVER_assigns()
{
    int sign = order->compare(key, a);
    return sign < 0 ? -1 : a[sign];
}
