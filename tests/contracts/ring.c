// In a ring of one the next element is the first.
//~ options: --enforce insert -- -I include
//~ all: true
#include "../../include/belay.h"
#include <stddef.h>
struct link {
    struct link *next, *prev;
};
void insert(struct link *head, struct link *one)
belay_requires(belay_is_fresh(head, sizeof *head) && (head->next == head || belay_is_fresh(head->next, sizeof *head)))
belay_requires(belay_is_fresh(one, sizeof *one))
belay_assigns(*head, head->next->prev, *one)
{
    one->next = head->next;
    one->prev = head;
    head->next->prev = one;
    head->next = one;
}
