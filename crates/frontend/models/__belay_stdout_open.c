/* Called before output to stdout, where the program may close streams: stdout is open. */
#include "belay.h"

void __belay_stdout_open(void)
{
    (void)__belay_stream(stdout);
}
