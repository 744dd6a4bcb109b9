/* What scanf returns after its last conversion. */
#include "scan_step.h"

int __belay_scan_end(int done)
{
    return done < 0 ? -2 - done : done;
}
