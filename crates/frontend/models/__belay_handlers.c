/* What atexit was given. */
#include "belay.h"

struct belay_handlers __belay_handlers;
