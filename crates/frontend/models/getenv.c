/* C17 7.22.4.6: NULL or a string of any content, the same for the same name; in runs of at most 4095 bytes. Bounds: the first four
 * names, of at most 63 bytes, are remembered; the value of any other may change with the next call, as C allows. name is a
 * string. */
#include "belay.h"

enum { VARIABLES = 4, NAME_SIZE = 64, VALUE_SIZE = 4096 };

static char names[VARIABLES][NAME_SIZE];
static char values[VARIABLES + 1][VALUE_SIZE];
static char *places[VARIABLES + 1];
static _Bool absent[VARIABLES];
static int known;

static char *arbitrary_string(int at)
{
    size_t most = VALUE_SIZE - 1;
    places[at] = values[at];
    if (belay_otherwise("a value of the environment may be longer")) {
        most = belay_size_at_most(PTRDIFF_MAX - 1);
        places[at] = malloc(most + 1);
        __VERIFIER_assume(places[at] != NULL);
    }
    size_t length = belay_size_at_most(most);
    __belay_fill(places[at], length);
    places[at][length] = '\0';
    return places[at];
}

char *getenv(const char *name)
{
    size_t length = strlen(name);
    for (int i = 0; i < known; i++)
        if (strcmp(names[i], name) == 0)
            return absent[i] ? NULL : places[i];
    if (known == VARIABLES || length >= NAME_SIZE)
        return __VERIFIER_nondet_bool() ? NULL : arbitrary_string(VARIABLES);
    int i = known++;
    for (size_t k = 0; k <= length; k++)
        names[i][k] = name[k];
    absent[i] = __VERIFIER_nondet_bool();
    return absent[i] ? NULL : arbitrary_string(i);
}
