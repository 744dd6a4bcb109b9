// A double is not returned where an integer is.
#include <assert.h>
static double one(void) { return 1; }

int main(void) {
    long (*get)(void) = (long (*)(void))one;
    assert(get() == 0x3ff0000000000000); //~ unknown(memsafety)
    return 0;
}
