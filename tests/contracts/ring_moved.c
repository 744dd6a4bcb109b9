// What the second is said to be gets another block: that they are equal is not lost, it is refused.
//~ options: --enforce mark -- -I include
#include "../../include/belay.h"
#include <assert.h>
struct pair {
    int *one, *two;
};
void mark(struct pair *p)
belay_requires(belay_is_fresh(p, sizeof *p) && (p == 0 || (belay_is_fresh(p->one, 4) && (p->two == p->one || belay_is_fresh(p->two, 4)) && belay_is_fresh(p->one, 4)))) //~ unknown(unreach-call)
belay_assigns(*p->one, *p->two)
{
    *p->one = 1;
    *p->two = 2;
    assert(*p->one == 1);
}
