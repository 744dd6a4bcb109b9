/* C++'s operators. */
#include "harness.h"

#if __SIZEOF_POINTER__ == 8
#define OF(name) m__Z##name##m
#define QUIET(name) m__Z##name##mRKSt9nothrow_t
#else
#define OF(name) m__Z##name##j
#define QUIET(name) m__Z##name##jRKSt9nothrow_t
#endif
void *OF(nw)(size_t), *OF(na)(size_t), *QUIET(nw)(size_t, const void *), *QUIET(na)(size_t, const void *);
void m__ZdlPv(void *), m__ZdaPv(void *), OF(dlPv)(void *, size_t), OF(daPv)(void *, size_t);
void m___cxa_pure_virtual(void);

TEST_N(operator_new, "operator new", 1000)
{
    size_t n = below(40);
    char *a = OF(nw)(n), *b = OF(na)(n), *c = QUIET(nw)(n, NULL), *d = QUIET(na)(n, NULL);
    memset(a, 1, n), memset(b, 1, n), memset(c, 1, n), memset(d, 1, n);
    m__ZdlPv(a), m__ZdaPv(b), m__ZdlPv(c), m__ZdaPv(d);
    /* Sizes of blocks are not known natively: that of null is. */
    if (!FINISHES(OF(dlPv)(NULL, n)) || !FINISHES(OF(daPv)(NULL, n)))
        return 0;
    m__ZdlPv(NULL), m__ZdaPv(NULL);
    return QUIET(nw)(PTRDIFF_MAX, NULL) == NULL;
}

/* It ends the program: that it is there is all that can be seen. */
TEST_N(pure_virtual, "__cxa_pure_virtual", 1) { void (*volatile there)(void) = m___cxa_pure_virtual; return there != NULL; }
