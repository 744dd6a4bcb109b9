//~ options: --check-alignment
// The compiler knows how to read a member of a packed struct; a pointer to the member does not say so.
#include <stdlib.h>

struct __attribute__((packed)) header {
    char kind;
    int length;
};

static int read_length(const int *length) {
    return *length; //~ false(valid-deref)
}

int main(void) {
    struct header *header = calloc(1, sizeof *header);
    header->length = 4;
    int length = read_length((const int *)((char *)header + 1));
    free(header);
    return length;
}
