/* Runs before all destructors: the functions that atexit was given, those that they register included. */
#include "belay.h"

void __belay_run_handlers(void)
{
    while (__belay_handlers.count > 0)
        __belay_handlers.functions[--__belay_handlers.count]();
}
