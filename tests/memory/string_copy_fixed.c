//~ all: true
#include <assert.h>
#include <string.h>

int main(void) {
    char name[6];
    strcpy(name, "hello");
    assert(strlen(name) == 5);
    return 0;
}
