// A list is made by one of two loops: that its nodes lead into an array says nothing of nodes that lead into another.
//~ options: --engines graph
#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { int *place; struct node *next; };
static struct node *push(struct node *list, int *place)
{
    struct node *made = malloc(sizeof *made);
    made->place = place;
    made->next = list;
    return made;
}
int main(void)
{
    int a[10], b[10];
    struct node *list = 0;
    if (__VERIFIER_nondet_int()) {
        while (__VERIFIER_nondet_int()) {
            int at = __VERIFIER_nondet_int();
            if (at < 0 || at > 9) return 0;
            list = push(list, &a[at]);
        }
    } else {
        while (__VERIFIER_nondet_int()) {
            int at = __VERIFIER_nondet_int();
            if (at < 0 || at > 9) return 0;
            list = push(list, &b[at]);
        }
    }
    for (; list; list = list->next)
        assert(list->place >= a && list->place < a + 10); //~ false(unreach-call)
    return 0;
}
