//~ options: --enforce get -- -I include
//~ unreach-call: true
//~ memsafety: true
#include "../../include/belay.h"
#include <stdlib.h>
static struct {
    void *(*get)(size_t);
    void (*put)(void *);
} hooks = {malloc, free};
void set(void *(*get)(size_t)) { hooks.get = get; }
char *get(void)
belay_requires(hooks.get == malloc)
belay_assigns()
{
    char *p = hooks.get(2);
    if (p) p[1] = 0;
    return p;
}
