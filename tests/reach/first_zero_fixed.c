//~ options: --function f --string a --property unreach-call
//~ unreach-call: true
// A loop to the end of a string takes as many steps as strlen says.
#include <assert.h>
#include <string.h>
void f(char *a) {
    unsigned long n = strlen(a);
    char *p = a;
    while (*p)
        p++;
    assert((unsigned long)(p - a) == n);
}
