#include <string.h>

struct packet {
    int kind;
    char body[12];
};

int main(void) {
    struct packet p = {1, "hello"};
    char out[12];
    memcpy(out, &p, sizeof p); //~ false(valid-deref)
    return 0;
}
