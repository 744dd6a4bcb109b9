/* What an output function that wrote gives: its result, or with --io-may-fail a failure with errno set. */
#include "belay.h"

int __belay_output_result(int result)
{
    if (__belay_io_may_fail && __VERIFIER_nondet_bool())
        return belay_failure();
    return result;
}
