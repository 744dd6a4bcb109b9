/* Whether it is decided where errno is read what calls that did not fail did to it. */
#include "belay.h"

const int __belay_errno_lazily = 0;
