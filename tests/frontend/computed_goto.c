//~ all: true
/* Labels as values: an interpreter of a small program that is not known. */
int __VERIFIER_nondet_int(void);

static int run(const unsigned char *code, int length) {
    static void *const targets[] = {&&add, &&twice, &&stop};
    int value = 0, at = 0;
next:
    if (at >= length)
        return value;
    goto *targets[code[at++] % 3];
add:
    value = (value + 1) % 1000;
    goto next;
twice:
    value = value * 2 % 1000;
    goto next;
stop:
    return value;
}

int main(void) {
    unsigned char code[3];
    for (int i = 0; i < 3; i++)
        code[i] = (unsigned char)__VERIFIER_nondet_int();
    void *end = &&done;
    int value = run(code, 3);
    if (value < 0 || value > 1000)
        return 1;
    goto *end;
done:
    return 0;
}
