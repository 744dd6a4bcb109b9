// A vector that is emptied by a literal of zeros.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct vector {
    size_t used, room;
    int *at;
};

static void empty(struct vector *v) {
    *v = (struct vector){0};
}

int main(void) {
    struct vector v;
    empty(&v);
    int n = __VERIFIER_nondet_int();
    for (int i = 0; i < n; i++) {
        if (v.used == v.room) {
            size_t room = v.room ? 2 * v.room : 8;
            int *more = realloc(v.at, room * sizeof *more);
            if (!more)
                break;
            v.at = more;
            v.room = room;
        }
        v.at[v.used++] = i;
    }
    free(v.at);
    return 0;
}

//~ options: --engines graph
//~ memsafety: true
