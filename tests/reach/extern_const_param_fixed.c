//~ unreach-call: true
#include <assert.h>
extern void look(const int *value);
extern void change(int *value);

int main(void) {
    int v = 0, w = 0;
    look(&v);
    assert(v == 0);
    change(&w);
    assert(v == 0);
    return 0;
}
