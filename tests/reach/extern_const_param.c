// Through a pointer to const nothing is written; through another one it is.
#include <assert.h>
extern void look(const int *value);
extern void change(int *value);

int main(void) {
    int v = 0;
    look(&v);
    assert(v == 0);
    change(&v);
    assert(v == 0); //~ false(unreach-call)
    return 0;
}
