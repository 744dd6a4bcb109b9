/* C17 7.12.10.2: x less the nearest multiple of y, halves to even, exactly; nan with EDOM for an infinite x or a zero y. */
#define SINGLE
#include "remainder.c"
