//~ termination: true
/* Pointers that come closer to one that stays, whatever they read. */
extern int __VERIFIER_nondet_int(void);
static int blank(const char *p, const char *end) {
    for (;; ++p) {
        if (p == end)
            return -1;
        if (*p == ' ')
            return 0;
    }
}
static int empty_line(const char *p, const char *end) {
    int found = 0;
    while (found < 2) {
        if (p == end)
            return 0;
        if (*p == '\r') {
            ++p;
            if (p == end)
                return 0;
            ++found;
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
static long trimmed(const char *start, const char *p) {
    while (p > start) {
        p--;
        if (*p != ' ') {
            p++;
            break;
        }
    }
    return p - start;
}
static int eighths(const char *p, const char *end) {
    int sum = 0;
    while (end - p >= 8) {
        sum ^= p[3];
        p += 8;
    }
    return sum;
}
int main(void) {
    char text[100];
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 100)
        return 0;
    for (int i = 0; i < n; i++)
        text[i] = (char)__VERIFIER_nondet_int();
    return blank(text, text + n) + empty_line(text, text + n) + (int)trimmed(text, text + n) + eighths(text, text + n);
}
