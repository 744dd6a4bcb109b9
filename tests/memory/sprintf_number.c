// A number with its sign does not fit.
#include <stdio.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    char text[2];
    int n = __VERIFIER_nondet_int();
    for (int k = 0; k < n; k++)
        sprintf(text, "%d,", k - 3);
    return 0;
}

//~ memsafety: false
