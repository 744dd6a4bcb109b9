// What is written to the next element may be written to the first.
//~ options: --enforce mark -- -I include
#include "../../include/belay.h"
#include <assert.h>
struct link {
    struct link *next;
    int number;
};
void mark(struct link *head)
belay_requires(belay_is_fresh(head, sizeof *head) && (head->next == head || belay_is_fresh(head->next, sizeof *head)))
belay_assigns(*head, *head->next)
{
    head->number = 1;
    head->next->number = 2;
    assert(head->number == 1); //~ false(unreach-call)
}
