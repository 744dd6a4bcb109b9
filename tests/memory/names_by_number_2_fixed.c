//~ memsafety: true
/* Texts in a table, by a number that is read: any of them may be meant. */
#include <stdio.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);

static const char *month(int m) {
    static const char *names[] = {"January", "February", "March", "April", "May", "June"};
    return m < 1 || m > 6 ? "?" : names[m - 1];
}

int main(void) {
    char line[13];
    int m = __VERIFIER_nondet_int();
    sprintf(line, "%s %d", month(m), m % 100);
    return line[strlen(line)];
}
