// A function may be called with any number in errno.
//~ options: --enforce given
#include <errno.h>
int given(int x)
__CPROVER_requires(x > 0)
__CPROVER_ensures(__CPROVER_return_value == x) //~ false(unreach-call)
{
    return errno == 4 ? 0 : x;
}
