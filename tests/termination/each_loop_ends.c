//~ termination: false
// One of many loops does not count.
#include <stdlib.h>
extern unsigned __VERIFIER_nondet_uint(void);

struct wheel {
    unsigned count, cap;
    unsigned long *slots;
};

static unsigned turn(struct wheel *w, unsigned from, unsigned by) {
    unsigned sum = 0;
    for (unsigned i = from; i < w->cap; i++) {
        unsigned long left = w->slots[i % w->cap];
        for (unsigned k = 0; k < 8; k++) {
            if (left > by) left -= by;
            else sum += k;
            if (sum & 1) w->count++;
        }
        for (unsigned k = i; k < w->count; k++)
            if (w->slots[k % w->cap] == left) {
                w->count = k;
                break;
            }
        w->slots[i % w->cap] = left + sum;
    }
    return sum;
}

static unsigned turn_back(struct wheel *w, unsigned from, unsigned by) {
    unsigned sum = 0;
    for (unsigned i = from; i < w->cap; i++) {
        unsigned long left = w->slots[i % w->cap];
        for (unsigned k = 0; k < 9;) {
            if (left > by) left -= by;
            else sum += k;
            if (sum & 1) w->count++;
        }
        for (unsigned k = i; k < w->count; k++)
            if (w->slots[k % w->cap] == left) {
                w->count = k;
                break;
            }
        w->slots[i % w->cap] = left + sum;
    }
    return sum;
}

int main(void) {
    struct wheel w = {0, 16, calloc(16, sizeof(unsigned long))};
    if (!w.slots) return 1;
    unsigned n = __VERIFIER_nondet_uint();
    for (unsigned i = 0; i < n; i++) {
        unsigned x = __VERIFIER_nondet_uint(), y = __VERIFIER_nondet_uint();
        x += turn(&w, x, y);
        y += turn_back(&w, x, y);
    }
    free(w.slots);
    return 0;
}
