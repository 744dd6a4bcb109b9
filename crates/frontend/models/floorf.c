/* C17 7.12.9.2: any argument; exact. */
#define SINGLE
#include "floor.c"
