// The loop of Fig. 9 of "2LS for program analysis": 1 <= x <= 10 after each round.
#include <assert.h>

int main(void) {
    unsigned x = 0;
    while (x < 10)
        ++x;
    assert(x == 10);
    return 0;
}
