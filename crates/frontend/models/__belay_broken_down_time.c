/* C17 7.27.3: the one object that the results of gmtime and localtime are. */
#include "belay.h"

struct tm __belay_broken_down_time;
