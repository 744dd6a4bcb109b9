/* A conversion to text: one to `most` bytes, none of them white space, and a NUL; or, if it is `raw`, any bytes and no NUL. p has room. */
#include "scan_step.h"

int __belay_scan_text(FILE *stream, int done, char *p, size_t most, int raw)
{
    if (!belay_scan_goes_on(stream, &done))
        return done;
    size_t length = belay_size_at_most(most);
    __VERIFIER_assume(length >= 1);
    __belay_precondition(belay_region(p, length + !raw), "scanf: text fits the buffer");
    for (size_t i = 0; i < length; i++) {
        unsigned char x = __VERIFIER_nondet_uchar();
        __VERIFIER_assume(raw || !belay_is_space(x));
        p[i] = (char)x;
    }
    if (!raw)
        p[length] = '\0';
    return done + 1;
}
