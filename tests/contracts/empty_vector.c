// A vector has a block, or room for nothing.
//~ options: --enforce put -- -I include
//~ all: true
#include "../../include/belay.h"
#include <stddef.h>
struct vector {
    int *items;
    size_t count, room;
};
int put(struct vector *v, int x)
belay_requires(belay_is_fresh(v, sizeof *v) && ((v->items == 0 && v->room == 0 && v->count <= v->room) || (v->room <= 1000 && belay_is_fresh(v->items, v->room * sizeof(int)) && v->count <= v->room)))
belay_assigns(v->count; v->items != 0: belay_object(v->items))
{
    if (v->count == v->room)
        return 0;
    v->items[v->count++] = x;
    return 1;
}
