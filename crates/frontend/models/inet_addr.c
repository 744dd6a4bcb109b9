/* POSIX: an address in dotted form, of one to four numbers (decimal, 0 octal, 0x hexadecimal), in network order, or -1. Exact.
 * s is a string; what follows a white space is not read. */
#include "belay.h"

uint32_t inet_addr(const char *s)
{
    static const uint32_t largest[4] = {0xffffffff, 0xffffff, 0xffff, 0xff};
    uint32_t address = 0;
    for (int part = 0; part < 4; part++) {
        if (*s < '0' || *s > '9')
            return 0xffffffff;
        char *end;
        _Bool open = __belay_errno_open;
        int before = *__errno_location();
        errno = 0;
        unsigned long value = strtoul(s, &end, 0);
        _Bool overflow = errno != 0;
        errno = before;
        __belay_errno_open = open;
        if (overflow || value > largest[0])
            return 0xffffffff;
        s = end;
        if (*s != '.') {
            if ((*s != '\0' && !belay_is_space((unsigned char)*s)) || value > largest[part])
                return 0xffffffff;
            address |= (uint32_t)value;
            return address << 24 | (address & 0xff00) << 8 | (address >> 8 & 0xff00) | address >> 24;
        }
        if (part == 3 || value > 255)
            return 0xffffffff;
        address |= (uint32_t)value << (24 - 8 * part);
        s++;
    }
    return 0xffffffff;
}
