// A predicate speaks of the file's variables, not of the parameters of the function whose contract calls it.
//~ options: --enforce clear
//~ memsafety: unknown
unsigned n = 1;
static _Bool is_buffer(char *p) { return __CPROVER_is_fresh(p, n); }
void clear(char *p, unsigned n)
__CPROVER_requires(n > 0 && n < 100)
__CPROVER_requires(is_buffer(p))
__CPROVER_assigns(__CPROVER_object_whole(p))
{
    p[n - 1] = 0;
}
