//~ options: --property memsafety --engines graph
//~ memsafety: true
// A copy of the argument that was seen last, in a block that follows its length.
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
    char *last = NULL;
    for (int i = 1; i < argc; i++) {
        size_t n = strlen(argv[i]);
        char *next = realloc(last, n + 1);
        if (!next) {
            free(last);
            return 1;
        }
        last = next;
        memcpy(last, argv[i], n + 1);
    }
    free(last);
    return 0;
}
