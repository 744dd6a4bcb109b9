// The counter does not overflow, and so the other is never touched.
//~ options: --each-check --property no-overflow
#include <limits.h>
int __VERIFIER_nondet_int(void);
int main(void) {
    int i = INT_MAX - 2, j = INT_MAX;
    while (__VERIFIER_nondet_int() && i < INT_MAX) {
        i = i + 1;               //~ holds
        if (i < 0) j = j + 1;    //~ holds
    }
    return j == 0;
}
