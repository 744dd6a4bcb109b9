// As doubled_for_ever.c, but the room has a bound.
#include <stdlib.h>

int main(void) {
    size_t room = 8;
    char *p = malloc(room);
    while (room < 100000) {
        room *= 2;
        char *more = realloc(p, room);
        if (!more)
            break;
        p = more;
    }
    free(p);
    return 0;
}

//~ options: --engines graph
//~ termination: true
