/* One byte too few for the sign. */
#include <stdio.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    char sign[4];
    sprintf(sign, "%d", __VERIFIER_nondet_int() % 1000); //~ false(valid-deref)
    return sign[0] == '-';
}
