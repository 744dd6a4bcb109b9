// Nothing overflows, so that nothing comes after an overflow.
//~ options: --each-check --property no-overflow
#include <limits.h>
int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int(), big = INT_MAX;
    if (x < 0 || x == INT_MAX) return 0;
    int y = x + 1;                 //~ holds
    int z = x + 1;                 //~ holds
    if (y < 0) big = big + z;      //~ holds
    if (y < 0) big = INT_MAX - y;  //~ holds
    if (y > 0) big = y - 1;        //~ holds
    return big == 0;
}
