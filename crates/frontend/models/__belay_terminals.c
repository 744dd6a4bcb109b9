/* What isatty said of the standard descriptors. */
#include "belay.h"

struct belay_terminals __belay_terminals;
