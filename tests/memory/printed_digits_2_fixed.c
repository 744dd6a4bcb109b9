//~ memsafety: true
#include <stdio.h>
#include <stdlib.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    int count = __VERIFIER_nondet_uchar() % 10 + 1;
    char *runs = malloc(count + 2);
    int len = sprintf(runs, "%d", count);
    runs[len] = 'x';
    runs[len + 1] = '\0';
    puts(runs);
    free(runs);
    return 0;
}
