//~ options: --enforce narrow
//~ unreach-call: true
// A member has the value of a wider parameter: no caller has one there that does not fit.
#include <assert.h>
struct packet {
    signed char kind;
    int length;
} packet;
int narrow(int kind)
__CPROVER_requires(packet.kind == kind)
__CPROVER_assigns()
{
    assert(packet.kind == kind && kind <= 127);
    return 0;
}
