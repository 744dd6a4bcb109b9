// As volatile_member.c, but what is copied is a local, or a constant.
//~ unreach-call: true
#include <assert.h>
struct device {
    volatile int status;
    int more[20];
};

int main(void) {
    struct device a = {3, {1, 2, 3}};
    struct device b = a;
    assert(b.status == 3);
    return 0;
}
