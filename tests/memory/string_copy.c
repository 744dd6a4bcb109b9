#include <string.h>

int main(void) {
    char name[5];
    strcpy(name, "hello"); //~ false(valid-deref)
    return 0;
}
