//~ all: true
#include <stddef.h>

struct pair {
    int first, second;
};

static struct pair *find(int key) { return key == 1 ? NULL : NULL; }

int main(void) {
    struct pair *p = find(1);
    return p ? p->second : 0;
}
