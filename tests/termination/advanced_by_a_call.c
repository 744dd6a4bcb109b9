//~ termination: false
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
    while ((p = token(p, end)) != 0)
        n ^= 1;
    return n;
}
int main(void) {
    char text[10];
    for (int i = 0; i < 10; i++)
        text[i] = __VERIFIER_nondet_char();
    return count(text, text + 10);
}
