/* X/Open: the sign of the gamma function where lgamma was last asked for it. */
#include "belay.h"

int signgam;
