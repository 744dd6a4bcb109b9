// A text that grows byte by byte and always has its end.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    struct { char *at; size_t length, room; } t = {0};
    int c;
    while ((c = getchar()) != EOF) {
        if (t.length + 1 >= t.room) {
            size_t room = t.room ? t.room * 2 : 16;
            char *more = realloc(t.at, room);
            if (!more)
                break;
            t.at = more;
            t.room = room;
        }
        t.at[t.length++] = c;
        t.at[t.length] = 0;
    }
    size_t length = t.at ? strlen(t.at) : 0;
    free(t.at);
    return length > 9;
}

//~ options: --engines graph
//~ memsafety: true
