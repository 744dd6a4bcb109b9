//~ memsafety: true
/* Part of a text. */
#include <stdio.h>
#include <string.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    char word[8], line[16];
    for (int i = 0; i < 8; i++)
        word[i] = 'a' + i;
    int part = __VERIFIER_nondet_uchar() % 9;
    int len = snprintf(line, sizeof line, "%.*s|%.8s", part, word, word);
    if (len >= (int)sizeof line)
        len = sizeof line - 1;
    line[len] = '\0';
    return strlen(line) > 15;
}
