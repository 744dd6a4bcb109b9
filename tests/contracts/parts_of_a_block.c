// What a caller gives for `is_fresh` may be parts of one block that have no byte in common.
//~ options: --rules cbmc --replace mix
//~ memsafety: true
//~ unreach-call: true
typedef struct { int a[4]; } part;
void mix(part *p, part *q)
__CPROVER_requires(__CPROVER_is_fresh(p, sizeof(part)))
__CPROVER_requires(__CPROVER_is_fresh(q, sizeof(part)))
__CPROVER_assigns(__CPROVER_object_upto(p, sizeof(part)))
__CPROVER_ensures(p->a[0] == 1)
;
int main(void)
{
    part all[3] = {0};
    mix(&all[0], &all[1]);
    mix(&all[2], &all[0]);
    __CPROVER_assert(all[0].a[0] == 1 && all[2].a[0] == 1 && all[1].a[0] == 0, "only what is assigned changes");
    return 0;
}
