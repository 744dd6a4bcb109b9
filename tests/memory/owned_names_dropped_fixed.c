/* All records of a table have names, which are freed with them. */
//~ options: --engines graph
//~ memsafety: true
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
        table[i]->name = malloc(1);
    }
    for (int i = 0; i < 2 * n; i++) {
        free(table[i]->name);
        free(table[i]);
    }
    return 0;
}
