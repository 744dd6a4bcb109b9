// As strlen.c, but the bytes that it is given need not end with a 0.
//   belay check --function length --array str=n examples/papers/strlen_unterminated.c
int length(char *str, int n) {
    char *s = str;
    while (*s) s++;
    return s - str;
}
