/* C17 7.21.1: the standard output, open when the program starts. */
#include "belay.h"

static struct belay_stream state;

FILE *stdout = (FILE *)&state;
