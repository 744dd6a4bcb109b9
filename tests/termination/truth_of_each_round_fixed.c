// It is compared once: the loop ends in the second round.
//~ termination: true
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int s = 0, high = __VERIFIER_nondet_int() > 3;
    for (;;) {
        switch (s) {
        case 0:
            if (!high) return 0;
            s = 5;
            break;
        case 5:
            if (high) return 0;
            s = 9;
            break;
        case 9:
            if (!high) return 0;
            s = 0;
            break;
        }
    }
}
