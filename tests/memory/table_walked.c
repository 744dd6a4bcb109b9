/* Commands are looked for in a table that ends with one that has no name. */
#include <stdlib.h>
#include <string.h>

extern char __VERIFIER_nondet_char(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

struct command {
    const char *name;
    int (*run)(int);
};

static int more(int x) {
    return x < 100 ? x + 1 : x;
}

static int less(int x) {
    return x > 0 ? x - 1 : x;
}

static struct command commands[] = {{"more", more}, {"less", less}};

int main(void) {
    size_t n = __VERIFIER_nondet_uchar();
    char *word = malloc(n + 1);
    for (size_t i = 0; i < n; i++)
        word[i] = __VERIFIER_nondet_char();
    word[n] = '\0';
    int x = 5;
    for (const struct command *c = commands; c->name != NULL; c++) //~ false(valid-deref)
        if (strcmp(c->name, word) == 0) {
            x = c->run(x);
            break;
        }
    free(word);
    return x;
}
