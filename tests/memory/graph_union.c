// As graph_union_fixed.c, but the other half of the word was set before.
#include <stdlib.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);

union word {
    int whole;
    char byte[4];
    short half[2];
};

int main(void) {
    union word w;
    int a[6];
    w.whole = 0x10000;
    w.byte[0] = 3;
    a[w.whole] = 1; //~ false(valid-deref)
    w.half[1] = 1;
    a[w.byte[2]] = 2;
    long long two = 0x100000002;
    int *parts = (int *)&two;
    a[parts[0] + parts[1]] = 3;
    int n = __VERIFIER_nondet_int();
    if (n >= 0 && n < 6) {
        w.whole = n;
        a[w.byte[0]] = 4;
        a[w.byte[3]] = 5;
    }
    return 0;
}
