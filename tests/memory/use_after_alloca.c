#include <alloca.h>

static char *make(void) {
    char *p = alloca(8);
    p[0] = 1;
    return p;
}

int main(void) {
    char *p = make();
    return p[0]; //~ false(valid-deref)
}
