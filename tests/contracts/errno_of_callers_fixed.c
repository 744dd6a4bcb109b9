// A function may be called with any number in errno, which it sets itself.
//~ options: --enforce given
//~ all: true
#include <errno.h>
int given(int x)
__CPROVER_requires(x > 0)
__CPROVER_ensures(__CPROVER_return_value == x)
{
    errno = 0;
    return errno == 4 ? 0 : x;
}
