// Words are joined in a text that grows: its length is kept beside it, and so is its end.
#include <stdlib.h>
#include <string.h>

struct text {
    char *bytes;
    size_t length, room;
};

static void add(struct text *t, const char *word) {
    size_t n = strlen(word);
    if (t->length + n + 1 > t->room) {
        size_t room = (t->length + n + 1) * 2;
        char *more = realloc(t->bytes, room);
        if (!more)
            exit(1);
        t->bytes = more;
        t->room = room;
    }
    memcpy(t->bytes + t->length, word, n + 1);
    t->length += n;
}

int main(int argc, char **argv) {
    struct text t = {0};
    for (int i = 1; i < argc; i++) {
        if (i > 1)
            add(&t, " ");
        add(&t, argv[i]);
    }
    size_t length = t.bytes ? strlen(t.bytes) : 0;
    free(t.bytes);
    return length > 100;
}

//~ options: --engines graph
//~ memsafety: true
