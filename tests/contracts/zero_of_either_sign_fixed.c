//~ options: --enforce inverse
//~ unreach-call: true
// A float that is equal to 0.
#include <assert.h>
struct setting {
    double factor;
    int used;
} setting;
int inverse(void)
__CPROVER_requires(setting.factor == 0.0)
__CPROVER_assigns()
{
    assert(setting.factor >= 0.0);
    return 0;
}
