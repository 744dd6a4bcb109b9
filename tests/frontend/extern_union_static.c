// A union may hold a pointer, whichever of its members it starts with.
#include <assert.h>
extern void work(void *p);
static int x = 1;
static union {
    char bytes[8];
    int *pointer;
} any = {{1}};

int main(void) {
    any.pointer = &x;
    work(&any); //~ unknown(valid-deref)
    *any.pointer = 3;
    return 0;
}
