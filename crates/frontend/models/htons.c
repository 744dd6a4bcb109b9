/* POSIX: the bytes turned round; the target is little endian. */
#include "belay.h"

uint16_t htons(uint16_t x)
{
    return (uint16_t)(x << 8 | x >> 8);
}
