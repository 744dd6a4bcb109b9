//~ all: true
#include <assert.h>
#include <stdio.h>
#include <string.h>

int main(void) {
    char text[6];
    int needed = snprintf(text, sizeof text, "%d", -12345);
    assert(needed == 6 && strcmp(text, "-1234") == 0);
    return 0;
}
