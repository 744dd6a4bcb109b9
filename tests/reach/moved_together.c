/* One variable is moved by every round, the other only by most: they need not be together. */
//~ unreach-call: false
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void)
{
    unsigned x = 0, y = 10000;
    while (__VERIFIER_nondet_int()) {
        x++;
        if (__VERIFIER_nondet_int())
            y--;
        if (x + y != 10000)
            reach_error();
    }
    return 0;
}
