// A word is freed while its chain still begins with it.
//~ options: --engines graph
//~ memsafety: false
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

struct word {
    unsigned key;
    struct word *next;
};

static struct word *table[16];

int main(void) {
    int n = __VERIFIER_nondet_int();
    for (int i = 0; i < n; i++) {
        unsigned key = __VERIFIER_nondet_uchar() % 16;
        struct word *w = malloc(sizeof *w);
        w->key = key;
        w->next = table[key];
        table[key] = w;
    }
    for (int i = 0; i < 16; i++)
        while (table[i]) {
            struct word *w = table[i];
            free(w);
            table[i] = w->next;
        }
    return 0;
}
