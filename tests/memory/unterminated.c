#include <string.h>

int main(void) {
    char tag[4];
    strncpy(tag, "abcdef", sizeof tag);
    return (int)strlen(tag); //~ false(valid-deref)
}
