//~ options: --enforce length -- -I include
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
    if (!p) return 0;
    while (p->name[n]) n++; //~ false(valid-deref)
    return n;
}
