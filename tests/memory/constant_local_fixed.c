// The same with a copy that is not constant; what fills a constant local is its declaration, in each round of a loop.
//~ all: true
extern int __VERIFIER_nondet_int(void);
int other(void);
int main(void)
{
    const int limits[2] = {__VERIFIER_nondet_int(),
                           10};
    for (const int *at = limits; at < limits + 2; at++) {
        const int limit = *at, *where = &limit;
        int copy[2] = {limit, 0};
        int *chosen = __VERIFIER_nondet_int() ? (int *)&limit : copy;
        if (chosen == copy && *where > 0) copy[1] = 4;
    }
    return other() > 'y';
}
static const char *pick(const char *a, const char *b, int c) { return c ? a : b; } int other(void) { const char a[] = "x", b[] = "y"; return *pick(a, b, __VERIFIER_nondet_int()); }
