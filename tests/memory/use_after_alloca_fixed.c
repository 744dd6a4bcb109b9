//~ all: true
#include <alloca.h>

static void fill(char *p) { p[0] = 1; }

int main(void) {
    char *p = alloca(8);
    fill(p);
    return p[0] - 1;
}
