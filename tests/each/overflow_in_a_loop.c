// An invariant that rests on the first sum's not overflowing is none for the second.
//~ options: --each-check --property no-overflow
#include <limits.h>
int __VERIFIER_nondet_int(void);
int main(void) {
    int i = INT_MAX - 2, j = INT_MAX;
    while (__VERIFIER_nondet_int()) {
        i = i + 1;               //~ violated
        if (i < 0) j = j + 1;    //~ violated
    }
    return j == 0;
}
