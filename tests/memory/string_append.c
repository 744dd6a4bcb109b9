#include <string.h>

int main(void) {
    char path[10] = "/tmp/";
    strcat(path, "notes"); //~ false(valid-deref)
    return 0;
}
