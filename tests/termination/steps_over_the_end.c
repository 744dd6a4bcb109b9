//~ termination: false
/* Two bytes at a time, and back to the start: an end at an odd place is never met. */
static int walk(const char *start, const char *end) {
    const char *p = start;
    int n = 0;
    while (p != end) {
        p += 2;
        if (p - start >= 60)
            p = start;
        n = !n;
    }
    return n;
}
int main(void) {
    char text[100];
    return walk(text, text + 51);
}
