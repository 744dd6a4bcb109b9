//~ memsafety: true
#include <string.h>

struct record {
    char name[8];
    char city[8];
};

/* From one member into the next: inside the whole object. */
int main(void) {
    struct record r;
    memset(r.name, 0, 16);
    return r.city[7];
}
