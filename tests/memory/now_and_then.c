//~ memsafety: false(valid-deref)
/* Two digits for each byte and a newline before every sixteenth, the first among them. */
#include <stdlib.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

static char *dump(const unsigned char *in, size_t n) {
    static const char digits[] = "0123456789abcdef";
    char *out = malloc(2 * n + n / 16 + 1);
    size_t at = 0;
    for (size_t i = 0; i < n; i++) {
        out[at++] = digits[in[i] >> 4];
        out[at++] = digits[in[i] & 15];
        if (i % 16 == 0)
            out[at++] = '\n';
    }
    out[at] = '\0';
    return out;
}

int main(void) {
    size_t n = __VERIFIER_nondet_uchar();
    unsigned char *in = malloc(n);
    for (size_t i = 0; i < n; i++)
        in[i] = __VERIFIER_nondet_uchar();
    free(dump(in, n));
    free(in);
    return 0;
}
