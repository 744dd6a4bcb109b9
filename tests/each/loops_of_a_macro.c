// Loops of one macro stand at one place: which of them goes on for ever is told by the ends of the others alone.
//~ options: --each-loop --property termination --time-limit 20
unsigned g;
#define COUNT_AND_STAY { for (int i = 0; i < 5; i++) g++; for (;;) g ^= 1; }
#define WANDER_AND_STAY(n) { for (unsigned i = n; i != 1; i = i & 1 ? 3 * i + 1 : i / 2) g++; for (;;) g ^= 1; }
int __VERIFIER_nondet_int(void);
int main(void) {
    if (__VERIFIER_nondet_int()) COUNT_AND_STAY //~ ends unknown
    WANDER_AND_STAY(27) //~ unknown
    return 0;
}
