/* Whether streams may give bytes for ever: 1 with --endless-input. */
#include "belay.h"

const int __belay_endless_input = 0;
