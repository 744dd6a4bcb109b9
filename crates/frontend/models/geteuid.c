/* POSIX: any number. */
#include "belay.h"

uid_t geteuid(void)
{
    return __VERIFIER_nondet_uint();
}
