/* Whether the program names tzname, timezone or daylight, which functions about local time set. */
#include "belay.h"

const int __belay_names_zone = 1;
