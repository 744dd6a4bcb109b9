/* What is still to be read from descriptors. */
#include "belay.h"

struct belay_input __belay_input;
