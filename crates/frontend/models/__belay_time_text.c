/* C17 7.27.3: the one object that the results of asctime and ctime are. */
#include "belay.h"

char __belay_time_text[26];
