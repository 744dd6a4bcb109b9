// The function was checked with a block that is no variable of its own: a caller that gives it one gets no answer.
//~ options: --replace set
//~ unreach-call: unknown
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
    set(&shared);
    if (shared != 5)
        reach_error();
    return 0;
}
