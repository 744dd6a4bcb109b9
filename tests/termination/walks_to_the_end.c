//~ termination: false
/* At a line's end the pointer stays where it is. */
extern char __VERIFIER_nondet_char(void);
static int empty_line(const char *p, const char *end) {
    int found = 0;
    while (found < 2) {
        if (p == end)
            return 0;
        if (*p == '\r') {
            found = 1;
        } else if (*p == '\n') {
            ++p;
            ++found;
        } else {
            ++p;
            found = 0;
        }
    }
    return 1;
}
int main(void) {
    char text[10];
    for (int i = 0; i < 10; i++)
        text[i] = __VERIFIER_nondet_char();
    return empty_line(text, text + 10);
}
