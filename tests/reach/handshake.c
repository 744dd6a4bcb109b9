// A handshake with more modes than a few: what is sent in the end has been agreed on before, in whichever order the peer answers. Here a resumed session skips the key.
extern int __VERIFIER_nondet_int(void);
extern void __assert_fail(const char *, const char *, unsigned, const char *);
#define assert(c) ((c) ? (void)0 : __assert_fail(#c, __FILE__, __LINE__, "main"))

int main(void) {
    int state = 10, next = 0, hit = 0, key = 0, cipher = 0, strong = 0, client = 0, count = 0;
    while (__VERIFIER_nondet_int()) {
        int answer = __VERIFIER_nondet_int();
        switch (state) {
        case 10:
            hit = answer == 3;
            strong = answer > 10;
            client = answer < -10;
            state = 20;
            break;
        case 20:
            next = hit ? 60 : 40;
            state = 30;
            break;
        case 30:
            if (answer > 0)
                state = next;
            break;
        case 40:
            if (answer == 5)
                cipher = strong ? 2 : client ? 3 : 1;
            state = cipher ? 50 : 30;
            break;
        case 50:
            key = 1;
            next = 70;
            state = 30;
            break;
        case 60:
            cipher = strong ? 2 : client ? 3 : 1;
            next = 70;
            state = 30;
            break;
        case 70:
            assert(key == 1 && cipher == (strong ? 2 : client ? 3 : 1)); //~ false(unreach-call)
            state = count < 0 ? 10 : 80;
            break;
        default:
            state = 10;
            key = cipher = 0;
            break;
        }
        if (count < 1000000)
            count += answer & 1;
    }
    return 0;
}
