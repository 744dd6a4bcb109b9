// Tasks that a scheduler runs in any order hand a number on, and each adds one to it, but for one number to which the last adds two. Where it has got to is said by where the tasks stand; the number wraps around.
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void __assert_fail(const char *, const char *, unsigned, const char *);
#define assert(c) ((c) ? (void)0 : __assert_fail(#c, __FILE__, __LINE__, "main"))
enum { READY, RUNS, WAITS };

static int first_begun, second_begun, last_begun;
static int first_state = READY, second_state = READY, last_state = READY;
static unsigned number, sent;

static void first(void) {
    if (first_begun)
        assert(number == sent + 2); //~ false(unreach-call)
    number = __VERIFIER_nondet_uint();
    sent = number;
    if (second_begun)
        second_state = READY;
    first_begun = 1;
    first_state = WAITS;
}

static void second(void) {
    if (second_begun) {
        number += 1;
        if (last_begun)
            last_state = READY;
    }
    second_begun = 1;
    second_state = WAITS;
}

static void last(void) {
    if (last_begun) {
        number += sent == 77 ? 2 : 1;
        if (first_begun)
            first_state = READY;
    }
    last_begun = 1;
    last_state = WAITS;
}

int main(void) {
    while (first_state == READY || second_state == READY || last_state == READY) {
        if (first_state == READY && __VERIFIER_nondet_int()) {
            first_state = RUNS;
            first();
        }
        if (second_state == READY && __VERIFIER_nondet_int()) {
            second_state = RUNS;
            second();
        }
        if (last_state == READY && __VERIFIER_nondet_int()) {
            last_state = RUNS;
            last();
        }
    }
    return 0;
}
