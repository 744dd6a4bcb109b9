#include <string.h>

int main(void) {
    char a[8] = "abcdefg";
    memcpy(a + 1, a, 4); //~ false(valid-deref)
    return 0;
}
