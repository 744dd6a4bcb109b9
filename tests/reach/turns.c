// Two threads that take turns: the difference of two numbers of which nothing else is known, in the states in which it counts.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    unsigned token = 0, seen = 0;
    int turn = 0, started = 0;
    for (;;) {
        if (turn == 0) {
            if (started && token != seen + 1)
                reach_error(); //~ false(unreach-call)
            started = 1;
            token = __VERIFIER_nondet_int();
            seen = token;
            turn = 1;
        } else if (turn == 1 && __VERIFIER_nondet_int()) {
            token = token + 1;
            turn = 2;
        } else if (turn == 2 && __VERIFIER_nondet_int()) {
            if (seen == 77)
                token++;
            turn = 0;
        }
    }
}
