/* POSIX: any number. */
#include "belay.h"

uid_t getuid(void)
{
    return __VERIFIER_nondet_uint();
}
