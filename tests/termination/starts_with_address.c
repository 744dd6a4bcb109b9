// A variable of an integer type that starts with an address: it is not zero.
extern int __VERIFIER_nondet_int(void);
static int x;
static long place = (long)&x;
int main(void)
{
    int i = __VERIFIER_nondet_int();
    while (i > 0) { //~ false(termination)
        if (place == 0) i--;
    }
    return 0;
}
