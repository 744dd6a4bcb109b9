//~ all: true
#include <string.h>

struct packet {
    int kind;
    char body[12];
};

int main(void) {
    struct packet p = {1, "hello"};
    char out[16];
    memcpy(out, &p, sizeof p);
    return out[4] - 'h';
}
