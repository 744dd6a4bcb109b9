/* C17 7.12.6.6: x times 2^n, rounded once; ERANGE where it overflows or becomes zero. */
#define SINGLE
#include "ldexp.c"
