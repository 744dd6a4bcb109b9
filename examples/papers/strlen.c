// The first example of "Automatically proving termination and memory safety for programs with pointer arithmetic": safe for every string.
//   belay check --function length --string str examples/papers/strlen.c
int length(char *str) {
    char *s = str;
    while (*s) s++;
    return s - str;
}
