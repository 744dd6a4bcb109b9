/* C17 7.21.1: the standard error, open when the program starts. */
#include "belay.h"

static struct belay_stream standard_error;

FILE *stderr = (FILE *)&standard_error;
