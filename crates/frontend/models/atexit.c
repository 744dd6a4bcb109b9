/* C17 7.22.4.2: the function is called when the program ends by exit or by main's return, the last one first. Bounds: 32 functions, as many as
 * C promises. function points to a function. */
#include "belay.h"

int atexit(void (*function)(void))
{
    if (__belay_handlers.count == BELAY_HANDLERS)
        __belay_unsupported("atexit: more than 32 functions");
    __belay_handlers.functions[__belay_handlers.count++] = function;
    return 0;
}
