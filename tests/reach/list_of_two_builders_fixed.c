// A list is made by one of two loops: what is said of all nodes is what both make.
//~ unreach-call: true
//~ options: --engines graph
#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { int data; struct node *next; };
static struct node *push(struct node *list, int data)
{
    struct node *made = malloc(sizeof *made);
    made->data = data;
    made->next = list;
    return made;
}
int main(void)
{
    struct node *list = 0;
    if (__VERIFIER_nondet_int()) {
        while (__VERIFIER_nondet_int()) list = push(list, 5);
    } else {
        while (__VERIFIER_nondet_int()) {
            int data = __VERIFIER_nondet_int();
            if (data < 4 || data > 9) return 0;
            list = push(list, data);
        }
    }
    for (; list; list = list->next)
        assert(list->data >= 4 && list->data <= 9);
    return 0;
}
