/* C17 7.12.9.4 with rounding to nearest, the only direction that is modelled; any argument. */
#define SINGLE
#include "rint.c"
