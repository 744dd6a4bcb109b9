// Only the bytes that are named are havocked.
#include <stddef.h>
void __CPROVER_assert(_Bool, const char *);
void __CPROVER_havoc_slice(void *, size_t);

int main(void) {
    char b[4] = {1, 2, 3, 4};
    __CPROVER_havoc_slice(b + 1, 2);
    __CPROVER_assert(b[0] == 1, "before");
    __CPROVER_assert(b[2] == 3, "inside"); //~ false(unreach-call)
    return 0;
}
