// Pointers into an array are inserted anywhere in a vector that grows; one of them is null.
//~ memsafety: false(valid-deref)
#include <stdlib.h>
#include <string.h>

extern unsigned __VERIFIER_nondet_uint(void);

static int values[16];

int main(void) {
    unsigned n = __VERIFIER_nondet_uint(), count = 0, room = 4;
    if (n > 1000)
        return 0;
    int **all = malloc(room * sizeof *all);
    for (unsigned i = 0; i < n; i++) {
        unsigned place = __VERIFIER_nondet_uint();
        if (place > count)
            continue;
        if (count == room) {
            room *= 2;
            all = realloc(all, room * sizeof *all);
        }
        memmove(&all[place + 1], &all[place], (count - place) * sizeof *all);
        all[place] = i == 5 ? 0 : &values[__VERIFIER_nondet_uint() % 16];
        count++;
    }
    int odd = 0;
    for (unsigned i = 0; i < count; i++)
        odd += *all[i] & 1;
    free(all);
    return odd;
}
