/* C17 7.12.11.1: any arguments. */
#define SINGLE
#include "copysign.c"
