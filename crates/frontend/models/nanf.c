/* C17 7.12.11.2: a quiet nan. tag is a string; a payload is not modelled. */
#define SINGLE
#include "nan.c"
