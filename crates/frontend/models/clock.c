/* C17 7.27.2.1: processor time: not negative, not less than before, and far from the end of its type. */
#include "belay.h"

clock_t clock(void)
{
    const clock_t end = (clock_t)(sizeof(clock_t) == 8 ? 1LL << 53 : 1LL << 29);
    clock_t now = __VERIFIER_nondet_long() & (end - 1);
    /* Any other choice stands for no time having passed: see belay_read_clock. */
    if (now < __belay_clocks.processor)
        now = __belay_clocks.processor;
    __VERIFIER_assume(now >= __belay_clocks.processor && now < end);
    __belay_clocks.processor = now;
    return now;
}
