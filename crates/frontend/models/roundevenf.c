/* C23 7.12.9.8: halves to even; any argument; exact. */
#define SINGLE
#include "roundeven.c"
