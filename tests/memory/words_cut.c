/* A text of any length is cut into words, each of which ends. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern char __VERIFIER_nondet_char(void);
extern unsigned short __VERIFIER_nondet_ushort(void);

int main(void) {
    size_t n = __VERIFIER_nondet_ushort(), all = 0;
    char *s = malloc(n + 1);
    for (size_t i = 0; i < n; i++)
        s[i] = __VERIFIER_nondet_char();
    s[n] = ' ';
    for (char *word = strtok(s, " \t"); word != NULL; word = strtok(NULL, " \t")) { //~ false(valid-deref)
        all += strlen(word);
        puts(word);
    }
    free(s);
    return all > 10;
}
