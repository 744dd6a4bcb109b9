//~ all: true
#include <assert.h>
int main(void) {
    int sum = 0;
    {
        for (int *p = (int[]){1, 2, 0}; *p; p++) sum += *p;
    }
    assert(sum == 3);
    return 0;
}
