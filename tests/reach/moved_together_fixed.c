/* Both variables are moved by every round, so their sum stays, whatever they wrap to. */
//~ options: --engines kiki
//~ unreach-call: true
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void)
{
    unsigned x = 0, y = 10000;
    while (__VERIFIER_nondet_int()) {
        x++;
        y--;
        if (x + y != 10000)
            reach_error();
    }
    return 0;
}
