// What is written to the later objects of a list would be missed: no contract speaks of one.
//~ options: --enforce set
//~ unreach-call: unknown
struct node {
    struct node *next;
    int value;
};
void set(struct node *p)
__CPROVER_requires(__BELAY_is_list(p, next))
__CPROVER_assigns()
{
    if (p && p->next) p->next->value = 1;
}
