//~ options: --enforce length -- -I include
//~ unreach-call: true
//~ memsafety: true
#include "../../include/belay.h"
struct person {
    int age;
    const char *name;
};
unsigned long length(const struct person *p)
belay_requires(p == 0 || (belay_is_fresh(p, sizeof(*p)) && (p->name == 0 || belay_is_string(p->name))))
belay_assigns()
{
    unsigned long n = 0;
    if (!p || !p->name) return 0;
    while (p->name[n]) n++;
    return n;
}
