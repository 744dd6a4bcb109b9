//~ options: --property memsafety --engines graph
//~ memsafety: true
// Words of a string are counted into an array of 32, by loops in a loop; what comes after them relies on the count.
static int words(const char *s, int *starts, int most) {
    const char *begin = s;
    int n = 0;
    while (*s) {
        while (*s == ' ' || *s == '\t')
            s++;
        if (!*s)
            break;
        if (n == most)
            return n;
        starts[n++] = (int)(s - begin);
        while (*s && *s != ' ' && *s != '\t')
            s++;
    }
    return n;
}

int main(int argc, char **argv) {
    int starts[32], last = 0;
    if (argc < 2)
        return 1;
    int n = words(argv[1], starts, 32);
    for (int i = 0; i < n; i++)
        last = starts[i];
    return last;
}
