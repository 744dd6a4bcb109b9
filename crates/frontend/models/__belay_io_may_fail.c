/* Whether output to the standard streams may fail: 1 with --io-may-fail. */
#include "belay.h"

const int __belay_io_may_fail = 0;
