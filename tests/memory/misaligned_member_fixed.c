//~ options: --check-alignment
//~ memsafety: true
// memcpy reads at any address.
#include <stdlib.h>
#include <string.h>

struct __attribute__((packed)) header {
    char kind;
    int length;
};

static int read_length(const char *from) {
    int length;
    memcpy(&length, from, sizeof length);
    return length;
}

int main(void) {
    struct header *header = calloc(1, sizeof *header);
    header->length = 4;
    int length = read_length((const char *)header + 1);
    free(header);
    return length != 4;
}
