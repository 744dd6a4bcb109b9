/* POSIX: any number. */
#include "belay.h"

uid_t getgid(void)
{
    return __VERIFIER_nondet_uint();
}
