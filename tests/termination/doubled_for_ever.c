// A run in which the block can't be doubled any more goes on for ever: that no block is so large does not show that it ends.
#include <stdlib.h>

int main(void) {
    size_t room = 8;
    char *p = malloc(room);
    for (;;) {
        room *= 2;
        char *more = realloc(p, room);
        if (more)
            p = more;
        else
            room = 8;
    }
}

//~ options: --engines graph
//~ termination: unknown
