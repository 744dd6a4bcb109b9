#include <stdio.h>

int main(void) {
    char text[6];
    sprintf(text, "%d", -12345); //~ false(valid-deref)
    return 0;
}
