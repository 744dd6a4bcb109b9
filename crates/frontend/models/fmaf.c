/* C17 7.12.13.1: x * y + z, rounded once. */
#define SINGLE
#include "fma.c"
