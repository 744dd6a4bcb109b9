/* C17 7.12.9.1: any argument; exact. */
#define SINGLE
#include "ceil.c"
