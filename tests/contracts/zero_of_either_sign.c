//~ options: --enforce inverse
//~ unreach-call: false(unreach-call)
// As zero_of_either_sign_fixed.c, but what is equal to 0 is taken to be above it: a caller may have -0.0 there.
#include <assert.h>
struct setting {
    double factor;
    int used;
} setting;
int inverse(void)
__CPROVER_requires(setting.factor == 0.0)
__CPROVER_assigns()
{
    assert(1.0 / setting.factor > 0.0);
    return 0;
}
