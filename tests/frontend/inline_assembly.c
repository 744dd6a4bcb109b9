/* Assembly that only computes: any result is covered, and nothing is reported that rests on one. */
//~ memsafety: true
//~ termination: true
void __assert_fail(const char *, const char *, unsigned, const char *) __attribute__((noreturn));
int main(void) {
    int x = 1, a[4] = {0}, n = 3;
    __asm__("incl %0" : "+r"(x)); //~ unknown(unreach-call)
    if (x == 77)
        __builtin_trap();
    while (n > 0)
        a[n--] = x;
    if (x == 5)
        __assert_fail("x", "here", 1, "main");
    return a[1];
}

