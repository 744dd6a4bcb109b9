/* What an array of variable length leads to is freed before that ends. */
//~ options: --engines graph
//~ memsafety: true
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 1000)
        return 0;
    {
        char *held[n];
        for (int i = 0; i < n; i++)
            held[i] = malloc(1);
        for (int i = 0; i < n; i++)
            free(held[i]);
    }
    exit(0);
}
