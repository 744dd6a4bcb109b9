/* Whether the program has blocks of several kinds: of new, of new[], of malloc. 0 where there is one kind only. */
#include "belay.h"

const int __belay_mixes_blocks = 1;
