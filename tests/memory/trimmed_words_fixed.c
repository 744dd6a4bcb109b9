//~ memsafety: true
// A line that is cut in two words, each of which is trimmed: there are several ends, and each word has its own.
#include <ctype.h>
#include <stdio.h>
#include <string.h>

static char *trim(char *s) {
    while (isspace((unsigned char)*s))
        s++;
    size_t n = strlen(s);
    while (n > 0 && isspace((unsigned char)s[n - 1]))
        s[--n] = 0;
    return s;
}

int main(void) {
    char line[256];
    if (fgets(line, sizeof line, stdin)) {
        char *s = trim(line);
        char *eq = strchr(s, '=');
        if (!eq)
            return 1;
        *eq = 0;
        char *key = trim(s);
        char *value = trim(eq + 1);
        if (strlen(key) > 10 || strlen(value) > 20)
            return 2;
    }
    return 0;
}
