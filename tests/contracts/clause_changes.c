// A clause may only look: what it changes would be missing from the states that it describes.
//~ options: --enforce look
//~ unreach-call: unknown(may do more than look)
int g;
static int init(void) { g = 1; return 1; }
int look(void)
__CPROVER_requires(init())
__CPROVER_assigns()
{
    __CPROVER_assert(g == 1, "any value");
    return 0;
}
