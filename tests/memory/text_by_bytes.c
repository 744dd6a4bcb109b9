// As text_by_bytes_fixed.c, but there is no end where the text fills its block.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    struct { char *at; size_t length, room; } t = {0};
    int c;
    while ((c = getchar()) != EOF) {
        if (t.length >= t.room) {
            t.room = t.room ? t.room * 2 : 16;
            char *more = realloc(t.at, t.room);
            if (!more)
                break;
            t.at = more;
        }
        t.at[t.length++] = c;
        if (t.length < t.room)
            t.at[t.length] = 0;
    }
    size_t length = t.at ? strlen(t.at) : 0;
    free(t.at);
    return length > 9;
}

//~ options: --engines graph
//~ memsafety: unknown
