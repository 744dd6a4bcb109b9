// Nothing says where the strings of the command line begin: they stand behind each other, at odd addresses too.
#include <assert.h>
#include <stdint.h>

int main(int argc, char **argv) {
    if (argc < 2) return 0;
    assert(((uintptr_t)argv & (sizeof(char *) - 1)) == 0);
    assert(((uintptr_t)argv[1] & 1) == 0); //~ false(unreach-call)
    return 0;
}
