//~ all: true
#include <string.h>

int main(void) {
    char tag[4];
    strncpy(tag, "abcdef", sizeof tag);
    tag[sizeof tag - 1] = 0;
    return (int)strlen(tag) - 3;
}
