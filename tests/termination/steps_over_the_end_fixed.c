//~ termination: true
static int walk(const char *start, const char *end) {
    const char *p = start;
    int n = 0;
    while (p != end) {
        p++;
        n = !n;
    }
    return n;
}
int main(void) {
    char text[100];
    return walk(text, text + 51);
}
