//~ options: --rules svcomp
//~ unreach-call: true
#include <assert.h>
extern int change(int *value);
int seen;

int main(void) {
    int v = 0;
    change(&v);
    assert(v == 0 && seen == 0);
    return 0;
}
