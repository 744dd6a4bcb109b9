//~ unreach-call: true
#include <stdlib.h>
void __CPROVER_assert(_Bool, const char *);
void __CPROVER_precondition(_Bool, const char *);
_Bool __CPROVER_r_ok(const void *, size_t);
_Bool __CPROVER_w_ok(const void *, size_t);
_Bool __CPROVER_rw_ok(const void *, size_t);
_Bool __CPROVER_same_object(const void *, const void *);
_Bool __CPROVER_DYNAMIC_OBJECT(const void *);
size_t __CPROVER_OBJECT_SIZE(const void *);
size_t __CPROVER_POINTER_OFFSET(const void *);
int __VERIFIER_nondet_int(void);

int main(void) {
    int x = __VERIFIER_nondet_int();
    char b[8], c[8], *p = x > 3 ? b + 2 : c + 2;
    const char *text = "text";
    __CPROVER_precondition(__CPROVER_w_ok(b, 8), "all of b");
    __CPROVER_assert(!__CPROVER_w_ok(b, 9), "not more");
    __CPROVER_assert(!__CPROVER_w_ok(b - 1, 2), "nor before");
    __CPROVER_assert(__CPROVER_r_ok(text, 5) && !__CPROVER_rw_ok(text, 1), "constant");
    __CPROVER_assert(!__CPROVER_r_ok(0, 1), "null");
    __CPROVER_assert(__CPROVER_OBJECT_SIZE(p) == 8 && __CPROVER_POINTER_OFFSET(p) == 2, "place");
    __CPROVER_assert(__CPROVER_same_object(p, b) == (x > 3), "which");
    __CPROVER_assert(__CPROVER_same_object(0, 0) && !__CPROVER_same_object(p, 0), "null and null");
    __CPROVER_assert(!__CPROVER_DYNAMIC_OBJECT(p), "a local");
    return 0;
}
