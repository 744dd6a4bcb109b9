/* C17 7.29.3.7: fgetwc of stdin. */
#include "belay.h"

wint_t getwchar(void)
{
    return fgetwc(stdin);
}
