/* C17 7.12.7.2: the sign bit cleared; any argument. */
#define SINGLE
#include "fabs.c"
