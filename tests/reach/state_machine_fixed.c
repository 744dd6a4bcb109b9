//~ unreach-call: true
// A protocol: nothing is sent before the key is set. Which states go with which key takes a combination of both.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

enum { IDLE = 100, HELLO = 110, KEYED = 120, SENDING = 130 };

int main(void) {
    int state = IDLE, key = 0, next;
    for (;;) {
        switch (state) {
        case IDLE:
            key = 0;
            state = __VERIFIER_nondet_int() ? HELLO : IDLE;
            break;
        case HELLO:
            if (__VERIFIER_nondet_int()) {
                key = 7;
                next = SENDING;
                state = KEYED;
            }
            break;
        case KEYED:
            if (__VERIFIER_nondet_int())
                state = next;
            break;
        case SENDING:
            if (key != 7)
                reach_error();
            next = IDLE;
            state = __VERIFIER_nondet_int() ? KEYED : SENDING;
            break;
        }
    }
}
