/* C17 7.12.10.1: exact, by long division on the significands; nan with EDOM for an infinite x or a zero y. */
#define SINGLE
#include "fmod.c"
