// The two elements are one block, which the body may take for two: that each is a block of its own is not asked of callers, so that there is no proof.
//~ options: --replace set
//~ unreach-call: unknown
void set(int **a, unsigned n)
__CPROVER_requires(n == 2 && __CPROVER_rw_ok(a, n * sizeof(*a)))
__CPROVER_requires(__CPROVER_forall { unsigned k; (0 <= k && k < n) ==> __CPROVER_is_fresh(a[k], sizeof(int)) })
__CPROVER_assigns(*a[0], *a[1])
;

int main(void) {
    int x = 0;
    int *both[2] = {&x, &x};
    set(both, 2);
    return 0;
}
