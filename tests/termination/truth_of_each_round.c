// What is compared in each round is compared anew: were the outcome that of the first round for ever, the loop would end.
//~ termination: false
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int s = 0;
    for (;;) {
        int high = __VERIFIER_nondet_int() > 3;
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
