//~ all: true
#include <stddef.h>

static int (*handler)(int);

int main(void) { return handler ? handler(1) : 0; }
