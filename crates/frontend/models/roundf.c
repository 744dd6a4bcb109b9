/* C17 7.12.9.6: halves away from zero; any argument; exact. */
#define SINGLE
#include "round.c"
