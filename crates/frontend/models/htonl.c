/* POSIX: the bytes turned round; the target is little endian. */
#include "belay.h"

uint32_t htonl(uint32_t x)
{
    return x << 24 | (x & 0xff00) << 8 | (x >> 8 & 0xff00) | x >> 24;
}
