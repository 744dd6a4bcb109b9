/* C17 7.21.1: the standard input, open when the program starts. */
#include "belay.h"

static struct belay_stream standard_input;

FILE *stdin = (FILE *)&standard_input;
