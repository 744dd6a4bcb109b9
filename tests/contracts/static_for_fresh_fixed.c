// As static_for_fresh.c, with a local variable.
//~ options: --replace set
//~ unreach-call: true
void reach_error(void);
int shared;
int set(int *p)
__CPROVER_requires(__CPROVER_is_fresh(p, sizeof(*p)))
__CPROVER_assigns(*p, shared)
__CPROVER_ensures(*p == 5)
{
    *p = 5;
    shared = 6;
    return 0;
}
int main(void)
{
    int own;
    set(&own);
    if (own != 5)
        reach_error();
    return 0;
}
