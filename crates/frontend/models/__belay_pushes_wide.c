/* Whether the program may push wide characters back: 0 where it has no ungetwc. */
#include "belay.h"

const int __belay_pushes_wide = 1;
