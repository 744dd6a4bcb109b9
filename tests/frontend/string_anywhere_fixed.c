//~ options: --function first --string s
//~ memsafety: true
#include <stdint.h>

int first(const char *s) {
    char word[4] = {0};
    if ((uintptr_t)s & 1) word[3] = s[0];
    return word[0];
}
