// What may be read and written, how large objects are and where pointers stand in them is known behind loops of any length, by the states of a graph.
//~ all: true
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
unsigned long __VERIFIER_nondet_ulong(void);
_Bool __CPROVER_r_ok(const void *, __SIZE_TYPE__);
_Bool __CPROVER_w_ok(const void *, __SIZE_TYPE__);
__SIZE_TYPE__ __CPROVER_OBJECT_SIZE(const void *);
__SIZE_TYPE__ __CPROVER_POINTER_OFFSET(const void *);
_Bool __CPROVER_DYNAMIC_OBJECT(const void *);
void __CPROVER_assert(_Bool, const char *);

static const char word[] = "word";
static char table[8];

static char *text(unsigned long *length) {
    unsigned long n = __VERIFIER_nondet_ulong();
    if (n > 1000000000ul) {
        return NULL;
    }
    char *made = malloc(n + 1);
    if (made == NULL) {
        return NULL;
    }
    for (unsigned long i = 0; i < n; i++) {
        made[i] = 'x';
    }
    made[n] = 0;
    *length = n;
    return made;
}

int main(void) {
    unsigned long n = 0;
    char *made = text(&n);
    if (made == NULL) {
        __CPROVER_assert(!__CPROVER_r_ok(made, 1), "null may not be read");
        return 0;
    }
    char *at = made;
    while (*at == 'x' && at < made + n) {
        at++;
    }
    __CPROVER_assert(__CPROVER_w_ok(made, n + 1), "all of it");
    __CPROVER_assert(__CPROVER_OBJECT_SIZE(at) == n + 1, "the object is as large as it was made");
    __CPROVER_assert(__CPROVER_POINTER_OFFSET(at) <= n, "no further than the end");
    __CPROVER_assert(__CPROVER_r_ok(at, 1), "where the loop ended");
    __CPROVER_assert(__CPROVER_DYNAMIC_OBJECT(at) && !__CPROVER_DYNAMIC_OBJECT(table), "heap and static storage");
    __CPROVER_assert(__CPROVER_r_ok(word, 5) && !__CPROVER_w_ok(word, 5), "constant");
    unsigned long asked = __VERIFIER_nondet_ulong();
    if (asked > 0 && __CPROVER_r_ok(made, asked)) {
        __CPROVER_assert(asked <= n + 1, "no more than there is");
    }
    if (asked > n + 1) {
        __CPROVER_assert(!__CPROVER_r_ok(made, asked), "more than there is");
    }
    free(made);
    __CPROVER_assert(!__CPROVER_r_ok(made, 1), "freed");
    return 0;
}
