/* POSIX: 1, or 0 with errno set; the same again for standard input, output and error. What it says of another descriptor is not remembered: no violation
 * rests on a second call for one. */
#include "belay.h"

int isatty(int fd)
{
    if (fd < 0 || fd > 2) {
        if (__belay_terminals.others)
            __belay_approximate("whether a descriptor is a terminal is not remembered");
        __belay_terminals.others = 1;
        return belay_attempt() == 0;
    }
    if (!__belay_terminals.known[fd]) {
        __belay_terminals.known[fd] = 1;
        __belay_terminals.answer[fd] = __VERIFIER_nondet_bool();
    }
    if (!__belay_terminals.answer[fd])
        belay_failure();
    return __belay_terminals.answer[fd];
}
