// Parts of one block that have bytes in common are not what two `is_fresh` ask for.
//~ options: --rules cbmc --replace mix
typedef struct { int a[4]; } part;
void mix(part *p, part *q)
__CPROVER_requires(__CPROVER_is_fresh(p, sizeof(part)))
__CPROVER_requires(__CPROVER_is_fresh(q, sizeof(part))) //~ false(unreach-call)
__CPROVER_assigns(__CPROVER_object_upto(p, sizeof(part)))
__CPROVER_ensures(p->a[0] == 1)
;
int main(void)
{
    part all[3] = {0};
    mix(&all[0], &all[1]);
    mix(&all[1], (part *)&all[0].a[1]);
    return 0;
}
