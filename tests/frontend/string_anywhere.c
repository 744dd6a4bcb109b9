//~ options: --function first --string s
// A caller may hand over the rest of a string, which begins anywhere.
#include <stdint.h>

int first(const char *s) {
    char word[4] = {0};
    if ((uintptr_t)s & 1) word[4] = s[0]; //~ false(valid-deref)
    return word[0];
}
