/* What a comparison of the library may return where C promises its sign only: the difference that the model gave, as glibc does, or 1 and -1, as others do. Any
 * other number of that sign is covered by proofs. */
#include "belay.h"

int __belay_of_sign(int order)
{
    if (order == 0)
        return 0;
    if (__VERIFIER_nondet_bool())
        return order < 0 ? -1 : 1;
    if (!belay_otherwise("C promises no more than the sign of what a comparison returns"))
        return order;
    int number = (int)(__VERIFIER_nondet_uint() & INT_MAX);
    if (order < 0)
        return -1 - number;
    return number == 0 ? 1 : number;
}
