/* Whether the program may close a stream: 0 where it has no fclose. */
#include "belay.h"

const int __belay_closes = 1;
