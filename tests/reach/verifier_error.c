extern void __VERIFIER_error(void);

static void check(int condition) {
    if (!condition)
    ERROR:
        __VERIFIER_error(); //~ false(unreach-call)
}

int main(void) {
    unsigned x = 10;
    while (x > 3)
        x -= 2;
    check(x == 3);
    return 0;
}
