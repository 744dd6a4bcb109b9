//~ memsafety: true
/* The table is written to before it is read. */
#include <string.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

static const char *names[] = {"one", "two", "three"};

int main(void) {
    char ab[2] = "a";
    names[__VERIFIER_nondet_uchar() % 3] = ab;
    return (int)strlen(names[__VERIFIER_nondet_uchar() % 3]);
}
