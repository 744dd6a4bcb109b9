/* Who runs the program, as far as it asked. */
#include "belay.h"

struct belay_ids __belay_ids;
