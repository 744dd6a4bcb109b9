//~ options: --function f --string s --property valid-deref
//~ valid-deref: true
// What strlen returned bounds the copy, though nobody keeps the number.
#include <string.h>
void f(const char *s) {
    char b[64];
    if (strlen(s) < sizeof b)
        strcpy(b, s);
}
