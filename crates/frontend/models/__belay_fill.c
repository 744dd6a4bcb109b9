/* n arbitrary bytes into p: every input that a model writes to the caller's memory comes from here. */
#include "belay.h"

void __belay_fill(void *p, size_t n)
{
    unsigned char *bytes = p;
    for (size_t i = 0; i < n; i++)
        bytes[i] = __VERIFIER_nondet_uchar();
}
