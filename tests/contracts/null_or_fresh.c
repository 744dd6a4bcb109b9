//~ options: --enforce first -- -I include
//~ unreach-call: true
//~ memsafety: true
#include "../../include/belay.h"
int first(const int *p, int *failed)
belay_requires(p == 0 || belay_is_fresh(p, sizeof(*p)))
belay_requires(belay_is_fresh(failed, sizeof(*failed)))
belay_assigns(*failed)
belay_ensures(*failed == (p == 0))
belay_ensures(p != 0 ==> belay_result == *p)
{
    *failed = !p;
    return p ? *p : 0;
}
