/* GNU: getenv, or NULL in a program with raised rights. */
#include "belay.h"

char *getenv(const char *name);

char *secure_getenv(const char *name)
{
    return __VERIFIER_nondet_bool() ? NULL : getenv(name);
}
