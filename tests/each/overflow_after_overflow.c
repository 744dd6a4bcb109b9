// A run goes on after an overflow: the second sum overflows only in runs in which the first has, and is violated all the same. The same sum twice is two checks.
//~ options: --each-check --property no-overflow
#include <limits.h>
int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int(), big = INT_MAX;
    if (x < 0) return 0;
    int y = x + 1;                 //~ violated
    int z = x + 1;                 //~ violated
    if (y < 0) big = big + z;      //~ holds
    if (y < 0) big = INT_MAX - y;  //~ violated
    if (y > 0) big = y - 1;        //~ holds
    return big == 0;
}
