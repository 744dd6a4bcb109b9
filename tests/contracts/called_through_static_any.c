//~ options: --enforce get -- -I include
//~ memsafety: unknown
#include "../../include/belay.h"
#include <stdlib.h>
static struct {
    void *(*get)(size_t);
    void (*put)(void *);
} hooks = {malloc, free};
void set(void *(*get)(size_t)) { hooks.get = get; }
char *get(void)
belay_requires(hooks.put == free)
belay_assigns()
{
    char *p = hooks.get(2);
    if (p) p[1] = 0;
    return p;
}
