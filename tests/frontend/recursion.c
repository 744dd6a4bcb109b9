//~ all: true
#include <assert.h>

static int ackermann(int m, int n) { return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1)); }
static int odd(unsigned n);
static int even(unsigned n) { return n == 0 ? 1 : odd(n - 1); }
static int odd(unsigned n) { return n == 0 ? 0 : even(n - 1); }

static void hanoi(int n, int *moves) {
    if (n == 0)
        return;
    hanoi(n - 1, moves);
    ++*moves;
    hanoi(n - 1, moves);
}

static int deep(int n) { return n ? 1 + deep(n - 1) : 0; }

int main(void) {
    int moves = 0;
    hanoi(6, &moves);
    assert(moves == 63 && ackermann(2, 3) == 9 && even(10) && odd(7) && deep(50000) == 50000);
    return 0;
}
