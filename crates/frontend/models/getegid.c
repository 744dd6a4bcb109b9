/* POSIX: any number. */
#include "belay.h"

uid_t getegid(void)
{
    return __VERIFIER_nondet_uint();
}
