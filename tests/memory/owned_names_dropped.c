/* The first half of a table has records with names, the second half without: the names are lost. */
//~ options: --engines graph
//~ memsafety: false(valid-memtrack)
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct record { char *name; int number; };
struct record *table[1000];

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 500)
        return 0;
    for (int i = 0; i < n; i++) {
        table[i] = malloc(sizeof **table);
        table[i]->name = malloc(1);
    }
    for (int i = n; i < 2 * n; i++) {
        table[i] = malloc(sizeof **table);
    }
    for (int i = 0; i < 2 * n; i++) {
        free(table[i]);
    }
    return 0;
}
