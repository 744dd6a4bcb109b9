/* C17 7.12.9.8: any argument; exact. */
#define SINGLE
#include "trunc.c"
