//~ all: true
#define NDEBUG
#include <assert.h>

int main(void) {
    assert(0 && "compiled away");
    return 0;
}
