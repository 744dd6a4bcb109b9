// Two bytes are written amid four: what is kept of those is not what was written before there.
//~ options: --engines bmc
#include <assert.h>
extern unsigned __VERIFIER_nondet_uint(void);
typedef short __attribute__((aligned(1), may_alias)) half;
int main(void)
{
    unsigned x = __VERIFIER_nondet_uint();
    unsigned y[2] = {x, x};
    *(half *)((char *)y + 5) = 0x0202;
    unsigned char *p = (unsigned char *)&y[1];
    assert(p[2] == ((x >> 16) & 255)); //~ false(unreach-call)
    return 0;
}
