//~ options: --enforce narrow
//~ unreach-call: false(unreach-call)
// As value_that_does_not_fit_fixed.c, but it is taken to be positive.
#include <assert.h>
struct packet {
    signed char kind;
    int length;
} packet;
int narrow(int kind)
__CPROVER_requires(packet.kind == kind)
__CPROVER_assigns()
{
    assert(packet.kind == kind && kind > 0);
    return 0;
}
