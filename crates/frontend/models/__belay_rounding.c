/* The direction that fesetround chose. */
#include "belay.h"

int __belay_rounding;
