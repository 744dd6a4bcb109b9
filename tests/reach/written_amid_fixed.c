// Two bytes are written amid four: the others are kept.
//~ options: --engines bmc
//~ unreach-call: true
#include <assert.h>
extern unsigned __VERIFIER_nondet_uint(void);
typedef short __attribute__((aligned(1), may_alias)) half;
int main(void)
{
    unsigned x = __VERIFIER_nondet_uint();
    unsigned y[2] = {x, x};
    *(half *)((char *)y + 5) = 0x0202;
    unsigned char *p = (unsigned char *)&y[1];
    assert(p[2] == 2 && p[0] == (x & 255) && p[3] == x >> 24 && p[1] == 2);
    assert(y[1] == ((x & 0xff0000ffu) | 0x020200u));
    return 0;
}
