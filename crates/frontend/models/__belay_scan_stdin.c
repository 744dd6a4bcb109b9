/* The stream that scanf reads. */
#include "belay.h"

FILE *__belay_scan_stdin(void)
{
    return stdin;
}
