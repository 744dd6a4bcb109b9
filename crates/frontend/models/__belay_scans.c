/* Whether the program may scan a stream: 0 where it has no function of the scanf family. */
#include "belay.h"

const int __belay_scans = 1;
