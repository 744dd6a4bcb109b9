#undef NDEBUG
#include <assert.h>

int main(void) {
    assert(0 && "reached"); //~ false(unreach-call)
    return 0;
}
