//~ all: true
#include <assert.h>

int main(void) {
    int s = 0;
    for (int i = 0; i < 10; i++) {
        if (i == 3)
            continue;
        if (i == 8)
            break;
        s += i;
    }
    assert(s == 25);
    do
        s--;
    while (s > 20);
    int i, j;
    for (i = 0, j = 10; i < j; i += 2, j--)
        s += i ^ j;
    assert(i == 8 && j == 6);
    return 0;
}
