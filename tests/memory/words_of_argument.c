//~ options: --property memsafety
// The inner loop runs past the end of a word that ends the string.
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
        while (*s != ' ' && *s != '\t') //~ false(valid-deref)
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
