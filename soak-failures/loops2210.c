/* WRONG true: run 0 goes on for longer than a ranking function allows */
extern signed char __VERIFIER_nondet_char(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
#ifdef NATIVE
extern void tick_round(void), tick_call(void), tick_bound(void);
#define TICK tick_round()
#define CALL tick_call()
#define BOUND tick_bound()
#else
#define TICK
#define CALL
#endif
static void helper(void *p, int v) { if (v > 3) ++*(signed char *)p; else *(signed char *)p = (signed char)v; }
int main(void) {
    signed char a = __VERIFIER_nondet_char();
    unsigned char b = __VERIFIER_nondet_uchar();
    unsigned char c = 54;
    while (a >= b) {
        TICK;
        b --;
        if (1) return 0;
        a = a;
        c = 1;
    }
long bound23 = (-(long)b < 0 ? 0 : -(long)b) + 2, rounds23 = 0; while (b <= (b | 100u)) {
        TICK; if (++rounds23 > bound23) BOUND;
        while (b < (127u + 2u)) {
            TICK;
            helper(&c, c);
            if (b < (10 + 1)) {
                if (a < c) {
                    if (a <= (c * 0)) {
                        if (c < (a + 200)) return 0;
                        a = b;
                    } else {
                        if (c != c) {
                            if (a != (c / 3 + 1)) {
                                a = 10;
                                a = c;
                            } else {
                                if (1) {
                                    b --;
                                    b = ((10u | c) / 3 + 5);
                                }
                            }
                            if (c < c) {
                                c = a;
                            } else {
                                b = (a & 1);
                            }
                        }
                    }
                } else {
                    if (c <= (c & b)) {
                        a = ((10 + b) ^ (c / 3 + b));
                        a = b;
                    } else {
                        a = -2u;
                    }
                }
            }
            c += 2;
            if (a != (c + 0) || a <= (0u % 5 + 127)) return 0;
        }
        helper(&b, c);
    }
    return 0;
}
