//~ options: --function f --string a --property unreach-call
// The string was cut in between.
#include <assert.h>
#include <string.h>
void f(char *a) {
    unsigned long n = strlen(a);
    if (n > 4)
        a[n / 2] = 0;
    char *p = a;
    while (*p)
        p++;
    assert((unsigned long)(p - a) == n); //~ false(unreach-call)
}
