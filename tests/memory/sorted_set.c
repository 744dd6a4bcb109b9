// As sorted_set_fixed.c, but it grows one element too late.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct set {
    int *at;
    unsigned n, room;
};

static unsigned find(struct set *s, int x) {
    unsigned low = 0, high = s->n;
    while (low < high) {
        unsigned middle = (low + high) / 2;
        if (s->at[middle] < x)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void insert(struct set *s, int x) {
    unsigned place = find(s, x);
    if (place < s->n && s->at[place] == x)
        return;
    if (s->n > s->room || !s->at) {
        s->room = s->room ? s->room * 2 : 8;
        s->at = realloc(s->at, s->room * sizeof(int));
        if (!s->at)
            exit(1);
    }
    for (unsigned k = s->n; k > place; k--)
        s->at[k] = s->at[k - 1];
    s->at[place] = x;
    s->n++;
}

int main(void) {
    struct set s = {0};
    int n = __VERIFIER_nondet_int();
    if (n > 1000)
        n = 1000;
    while (n-- > 0)
        insert(&s, __VERIFIER_nondet_int());
    free(s.at);
    return 0;
}

//~ options: --engines graph
//~ memsafety: unknown
