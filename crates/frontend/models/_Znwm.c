/* C++17 6.7.4.1: operator new: a block. Where there is none it throws, and nothing that is followed catches. */
#include "belay.h"

void *_Znwm(size_t size)
{
    return belay_new(size);
}
