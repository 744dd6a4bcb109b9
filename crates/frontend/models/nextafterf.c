/* C17 7.12.11.3: the next number from x towards y; ERANGE where that is infinite, subnormal or zero. */
#define SINGLE
#include "nextafter.c"
