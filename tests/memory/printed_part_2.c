/* Part of a text that has no end of its own, and a text that may be cut off. */
#include <stdio.h>
#include <string.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    char word[8], line[16];
    for (int i = 0; i < 8; i++)
        word[i] = 'a' + i;
    int part = __VERIFIER_nondet_uchar() % 9;

    int len = snprintf(line, sizeof line, "%.*s|%.8s", part, word, word);
    line[len] = '\0'; //~ false(valid-deref)
    return strlen(line) > 15;
}
