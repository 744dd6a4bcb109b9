//~ options: --function f --string s
// There is no room for the terminator of a string of 64.
#include <string.h>
void f(const char *s) {
    char b[64];
    if (strlen(s) <= sizeof b)
        strcpy(b, s); //~ false(valid-deref)
}
