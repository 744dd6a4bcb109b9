/* Called before arithmetic that rounds, in programs that call fesetround: only to nearest is known of it. */
#include "belay.h"

void __belay_nearest(int exact)
{
    if (!exact)
        belay_rounds();
}
