//~ unreach-call: true
#include <assert.h>
#include <stdint.h>

int main(int argc, char **argv) {
    if (argc < 2) return 0;
    assert(((uintptr_t)argv & (sizeof(char *) - 1)) == 0);
    assert(((uintptr_t)argv[1] & 1) <= 1);
    return 0;
}
