// What is passed in no register does not shift which parameter points to const.
#include <assert.h>
//~ unreach-call: false
struct nothing {};
struct large {
    int a[10];
};
extern struct large work(int *changed, const int *kept, struct nothing nothing);

int main(void) {
    int x = 1, y = 2;
    struct nothing nothing;
    struct large large = work(&x, &y, nothing);
    assert(x == 1);
    return large.a[0];
}
