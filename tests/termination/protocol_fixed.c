//~ termination: true
// A protocol as a state machine: what is refused ends it. Whether a session is resumed never changes, so that keys are asked for once.
extern int __VERIFIER_nondet_int(void);

enum { START = 10, HELLO = 21, REFUSED = 25, KEYS = 30, FLUSH = 44, DONE = 50, FAILED = 60 };

int main(void) {
    int state = START, next, resumed = __VERIFIER_nondet_int(), known = __VERIFIER_nondet_int();
    for (;;) {
        switch (state) {
        case START:
            state = HELLO;
            break;
        case HELLO:
            state = known ? KEYS : REFUSED;
            break;
        case REFUSED:
            next = DONE;
            state = FLUSH;
            break;
        case KEYS:
            if (resumed) {
                next = DONE;
            } else {
                next = FAILED;
            }
            state = FLUSH;
            break;
        case FLUSH:
            state = next;
            break;
        case FAILED:
            if (resumed)
                state = KEYS;
            else
                return 1;
            break;
        default:
            return 0;
        }
    }
}
