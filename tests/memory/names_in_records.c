/* Records of a table, of which the last has no name. */
#include <stddef.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

struct kind {
    const char *name;
    int size;
};

static struct kind kinds[] = {{"byte", 1}, {"word", 4}, {NULL, 0}};

int main(void) {
    const struct kind *k = &kinds[__VERIFIER_nondet_uchar() % 3];
    char last = 0;

        last += k->name[4]; //~ false(valid-deref)
    return last;
}
