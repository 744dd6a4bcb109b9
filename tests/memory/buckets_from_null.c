// The last bucket is not made null.
//~ options: --engines graph
//~ memsafety: false
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    int value;
    struct node *next;
};

int main(void) {
    struct node **buckets = malloc(5 * sizeof *buckets);
    if (!buckets)
        return 1;
    for (int i = 0; i < 4; i++)
        buckets[i] = NULL;
    int n = __VERIFIER_nondet_int();
    for (int i = 0; i < n; i++) {
        struct node *e = malloc(sizeof *e);
        if (!e)
            break;
        unsigned at = (unsigned)__VERIFIER_nondet_int() % 5;
        e->value = i;
        e->next = buckets[at];
        buckets[at] = e;
    }
    for (int i = 0; i < 5; i++)
        for (struct node *e = buckets[i]; e;) {
            struct node *next = e->next;
            free(e);
            e = next;
        }
    free(buckets);
    return 0;
}
