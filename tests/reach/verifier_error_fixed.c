//~ all: true
extern void __VERIFIER_error(void);

static void check(int condition) {
    if (!condition)
    ERROR:
        __VERIFIER_error();
}

int main(void) {
    unsigned x = 10;
    while (x > 3)
        x -= 2;
    check(x == 2);
    return 0;
}
