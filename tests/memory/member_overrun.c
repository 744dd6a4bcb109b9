#include <string.h>

struct record {
    char name[8];
    char city[8];
};

int main(void) {
    struct record r;
    memset(r.name, 0, 17); //~ false(valid-deref)
    return 0;
}
