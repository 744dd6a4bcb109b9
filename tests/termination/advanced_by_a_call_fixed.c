//~ termination: true
/* What is called moves the pointer on, or says that there is no more. */
extern char __VERIFIER_nondet_char(void);
static const char *token(const char *p, const char *end) {
    while (1) {
        if (p == end)
            return 0;
        if (*p == ' ')
            return p;
        ++p;
    }
}
static int count(const char *p, const char *end) {
    int n = 0;
    while ((p = token(p, end)) != 0) {
        ++p;
        n ^= 1;
    }
    return n;
}
int main(void) {
    char text[100];
    for (int i = 0; i < 100; i++)
        text[i] = __VERIFIER_nondet_char();
    return count(text, text + 100);
}
