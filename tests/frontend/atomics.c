//~ all: true
// Atomic operations, in a program of one thread.
#include <assert.h>
#include <limits.h>
#include <stdatomic.h>

extern int __VERIFIER_nondet_int(void);

static _Atomic unsigned char small;
static int *_Atomic place;

int main(void) {
    int before = __VERIFIER_nondet_int(), x = before, other;
    assert(__atomic_fetch_add(&x, 3, __ATOMIC_SEQ_CST) == before);
    assert((unsigned)x == (unsigned)before + 3u);
    assert(__atomic_sub_fetch(&x, 3, __ATOMIC_RELAXED) == before && x == before);
    assert(__sync_fetch_and_or(&x, 1) == before && x == (before | 1));
    assert(__atomic_fetch_nand(&x, before, __ATOMIC_ACQUIRE) == (before | 1) && x == ~before);
    assert(__sync_lock_test_and_set(&x, before) == ~before && x == before);
    assert(__atomic_fetch_xor(&x, -1, __ATOMIC_SEQ_CST) == before && x == ~before);
    assert(__atomic_fetch_and(&x, 0, __ATOMIC_SEQ_CST) == ~before && x == 0);
    assert(__atomic_fetch_max(&x, before, __ATOMIC_SEQ_CST) == 0 && x == (before > 0 ? before : 0));
    assert(__atomic_fetch_min(&x, -1, __ATOMIC_SEQ_CST) >= 0 && x == -1);
    x = INT_MAX;
    assert(__atomic_add_fetch(&x, 1, __ATOMIC_SEQ_CST) == INT_MIN);
    small = 255;
    small++;
    assert(small == 0);
    place = &x;
    assert(atomic_exchange(&place, &other) == &x && place == &other);
    int *expected = &x;
    assert(!atomic_compare_exchange_strong(&place, &expected, 0) && expected == &other);
    assert(atomic_compare_exchange_weak(&place, &expected, 0) && !place);
    atomic_thread_fence(memory_order_seq_cst);
    return 0;
}
