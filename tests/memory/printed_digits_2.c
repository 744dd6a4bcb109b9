/* As many digits as the value, but no room for the zero byte behind the letter. */
#include <stdio.h>
#include <stdlib.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    int count = __VERIFIER_nondet_uchar() % 10 + 1;
    char *runs = malloc(count + 1);
    int len = sprintf(runs, "%d", count);
    runs[len] = 'x';
    runs[len + 1] = '\0'; //~ false(valid-deref)
    puts(runs);
    free(runs);
    return 0;
}
