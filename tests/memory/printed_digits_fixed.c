//~ memsafety: true
/* Texts in buffers of just the size that their numbers ask for. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    unsigned char byte = __VERIFIER_nondet_uchar();
    int number = __VERIFIER_nondet_int();
    char hex[3], octal[4], decimal[4], escaped[7], any[12], sign[5], padded[7];
    sprintf(hex, "%02x", byte);
    sprintf(octal, "%o", byte);
    sprintf(decimal, "%u", (unsigned)byte);
    sprintf(escaped, "\\u%04x", byte);
    sprintf(any, "%d", number);
    sprintf(sign, "%d", number % 1000);
    sprintf(padded, "%5d%c", byte, 'x');
    size_t all = strlen(hex) + strlen(padded) - 8;
    int count = number > 0 && number < 100000 ? number : 1;
    /* A number has at most as many digits as its value. */
    char *runs = malloc(count + 2);
    int len = sprintf(runs, "%d", count);
    runs[len] = 'x';
    runs[len + 1] = '\0';
    puts(runs);
    free(runs);
    return all != 0;
}
