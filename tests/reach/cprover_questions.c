// A freed block is still dynamic, but may not be read.
#include <stdlib.h>
void __CPROVER_assert(_Bool, const char *);
_Bool __CPROVER_r_ok(const void *, size_t);
_Bool __CPROVER_DYNAMIC_OBJECT(const void *);

int main(void) {
    char *p = malloc(8);
    if (!p) return 0;
    free(p);
    __CPROVER_assert(__CPROVER_DYNAMIC_OBJECT(p), "a heap block");
    __CPROVER_assert(__CPROVER_r_ok(p, 8), "readable"); //~ false(unreach-call)
    return 0;
}
