// As copied_into_zeros_fixed.c, but what is copied says that elements are larger than the room that is made for them.
#include <stdlib.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);

struct kind {
    size_t size;
    void (*done)(void *);
};

struct vector {
    unsigned used, room;
    struct kind kind;
    char *at;
};

static const struct kind of_int = {sizeof(int), NULL};

static struct vector *make(const struct kind *kind) {
    struct vector *v = malloc(sizeof *v);
    if (!v)
        exit(1);
    memset(v, 0, sizeof *v);
    v->kind = *kind;
    return v;
}

int main(void) {
    struct vector *v = make(&of_int);
    int n = __VERIFIER_nondet_int();
    if (n > 1000)
        n = 1000;
    for (int i = 0; i < n; i++) {
        if (v->used == v->room) {
            v->room = v->room ? 2 * v->room : 8;
            char *more = realloc(v->at, v->room * sizeof(char));
            if (!more)
                exit(1);
            v->at = more;
        }
        memcpy(v->at + v->used++ * v->kind.size, &i, v->kind.size);
    }
    if (v->kind.done)
        v->kind.done(v->at);
    free(v->at);
    free(v);
    return 0;
}

//~ options: --engines graph
//~ memsafety: false(valid-deref)
