/* C17 7.12.5.6: a number of [-1, 1]. */
#include "belay.h"

double tanh(double x)
{
    if (x != x)
        return x;
    return belay_result_between(-1, 1, "tanh");
}
