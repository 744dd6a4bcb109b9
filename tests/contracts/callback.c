// A comparison that callers give: it changes nothing, and may say anything at any time. Null is asked for before.
//~ options: --enforce find
//~ memsafety: true
//~ no-overflow: true
//~ termination: true
struct order {
    int (*compare)(const void *, const void *);
    void (*seen)(int);
};
long find(const int *key, const int *a, unsigned n, const struct order *order)
__CPROVER_requires(n < 100000 && __CPROVER_is_fresh(key, sizeof(*key)) && __CPROVER_is_fresh(a, n * sizeof(*a)))
__CPROVER_requires(__CPROVER_is_fresh(order, sizeof(*order)) && __BELAY_is_function(order->compare))
__CPROVER_requires(order->seen == 0 || __BELAY_is_function(order->seen))
__CPROVER_assigns()
{
    unsigned low = 0, high = n;
    while (low < high) {
        unsigned middle = low + (high - low) / 2;
        int sign = order->compare(key, a + middle);
        if (order->seen)
            order->seen(a[middle]);
        if (sign == 0)
            return middle;
        if (sign < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return -1;
}
