/* C17 7.21.1: the standard output, open when the program starts. */
#include "belay.h"

static struct belay_stream standard_output;

FILE *stdout = (FILE *)&standard_output;
