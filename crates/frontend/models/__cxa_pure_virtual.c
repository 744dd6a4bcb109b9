/* C++17 13.4p6: a call of a pure virtual function; the library ends the program. */
#include "belay.h"

void __cxa_pure_virtual(void)
{
    abort();
}
