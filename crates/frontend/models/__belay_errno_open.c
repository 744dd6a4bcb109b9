/* Whether a call may have set errno though nothing failed, since it was last written. */
#include "belay.h"

_Bool __belay_errno_open;
