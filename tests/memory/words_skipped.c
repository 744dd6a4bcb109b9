// A character behind the word is passed without a look.
//~ memsafety: false
#include <ctype.h>

static int words(const char *s) {
    int n = 0;
    while (*s) {
        if (isspace((unsigned char)*s)) {
            s++;
            continue;
        }
        const char *begin = s;
        if (isdigit((unsigned char)*s))
            while (isdigit((unsigned char)*s))
                s++;
        else if (isalpha((unsigned char)*s) || *s == '_')
            while (isalnum((unsigned char)*s) || *s == '_')
                s++;
        else
            s++;
        n += s++ - begin > 1;
    }
    return n;
}

int main(int argc, char **argv) { return argc > 1 ? words(argv[1]) : words("x = 12 + y_1;"); }
