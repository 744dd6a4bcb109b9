//~ memsafety: false(valid-deref)
/* A frame is received byte by byte. What holds of `pos` and `len` depends on the state: here a frame of 34 bytes is taken for one that fits. */
#include <stdint.h>

extern uint8_t __VERIFIER_nondet_uchar(void);

enum state { IDLE, LEN, DATA, SUM };
struct frame {
    enum state st;
    uint8_t len, pos, sum;
    uint8_t data[32];
};

static int feed(struct frame *f, uint8_t b) {
    switch (f->st) {
    case IDLE:
        if (b == 0x7E)
            f->st = LEN;
        return 0;
    case LEN:
        if (b == 0 || b > sizeof f->data + 2) {
            f->st = IDLE;
            return -1;
        }
        f->len = b;
        f->pos = 0;
        f->sum = 0;
        f->st = DATA;
        return 0;
    case DATA:
        f->data[f->pos++] = b;
        f->sum = (uint8_t)(f->sum + b);
        if (f->pos == f->len)
            f->st = SUM;
        return 0;
    case SUM:
        f->st = IDLE;
        return b == f->sum ? 1 : -1;
    }
    return 0;
}

int main(void) {
    struct frame f = {0};
    for (;;)
        feed(&f, __VERIFIER_nondet_uchar());
}
