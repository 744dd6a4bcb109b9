/* Text of the format that is to be met, or a conversion whose result is dropped. */
#include "scan_step.h"

int __belay_scan_literal(FILE *stream, int done)
{
    belay_scan_goes_on(stream, &done);
    return done;
}
