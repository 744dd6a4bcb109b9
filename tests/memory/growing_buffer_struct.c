// No room for the end of the text.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct text {
    char *bytes;
    int length, room;
};

static void put(struct text *t, char c) {
    if (t->length >= t->room) {
        t->room = t->room + 32;
        t->bytes = realloc(t->bytes, t->room);
    }
    t->bytes[t->length++] = c;
    t->bytes[t->length] = 0;
}

int main(void) {
    struct text *t = malloc(sizeof *t);
    t->bytes = NULL;
    t->length = t->room = 0;
    int n = __VERIFIER_nondet_int();
    if (n > 5000)
        n = 5000;
    for (int k = 0; k < n; k++)
        put(t, 'x');
    free(t->bytes);
    free(t);
    return 0;
}

//~ memsafety: false
