/* Two arrays are compared by pointers that go on as the count gets smaller; the last comparison is one beyond where all were equal. */
//~ options: --property valid-deref
//~ valid-deref: false
#include <stdlib.h>

extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned n = __VERIFIER_nondet_uint();
    if (n > 1000000)
        return 0;
    unsigned char *a = malloc(n), *b = malloc(n);
    if (!a || !b)
        return 0;
    const unsigned char *l = a, *r = b;
    for (; n && *l == *r; n--, l++, r++)
        ;
    return *l - *r;
}
