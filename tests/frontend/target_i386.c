//~ options: --data-model ILP32
// The twin of target_arm.c: on i386 the same expectations do not hold.
#include <assert.h>
#include <stddef.h>

struct record {
    char tag;
    long long time;
};

int main(void) {
    char c = (char)0xff;
    assert(offsetof(struct record, time) == 4 && sizeof(long double) == 12);
    assert(c == 255); //~ false(unreach-call)
    return 0;
}
