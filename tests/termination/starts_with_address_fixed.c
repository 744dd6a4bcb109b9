// A variable of an integer type that starts with an address, which is not zero, and one that starts with zero.
//~ termination: true
extern int __VERIFIER_nondet_int(void);
static int x;
static long place = (long)&x;
static long none;
int main(void)
{
    int i = __VERIFIER_nondet_int();
    while (i > 0) {
        if (none == 0) i--;
        if (place == 0) none = 0;
    }
    return 0;
}
