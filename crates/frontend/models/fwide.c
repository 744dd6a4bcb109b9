/* C17 7.29.3.5: the orientation asked for, unless the stream has one; which it has is not remembered, so that any answer may come. */
#include "belay.h"

int fwide(FILE *stream, int mode)
{
    (void)__belay_stream(stream)->error;
    (void)mode;
    __belay_approximate("fwide");
    return __VERIFIER_nondet_int();
}
