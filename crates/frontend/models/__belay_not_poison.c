/* Called before an instruction of LLVM IR whose result may be poison: nothing is said of a run in which it is. */
#include "belay.h"

void __belay_not_poison(int poison)
{
    if (poison)
        __belay_unsupported("a result that LLVM leaves open (poison)");
}
