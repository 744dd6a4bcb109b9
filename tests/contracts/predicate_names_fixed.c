// The same where the predicate is given the length.
//~ options: --enforce clear
//~ memsafety: true
//~ unreach-call: true
static _Bool is_buffer(char *p, unsigned length) { return __CPROVER_is_fresh(p, length); }
void clear(char *p, unsigned n)
__CPROVER_requires(n > 0 && n < 100)
__CPROVER_requires(is_buffer(p, n))
__CPROVER_assigns(__CPROVER_object_whole(p))
{
    p[n - 1] = 0;
}
