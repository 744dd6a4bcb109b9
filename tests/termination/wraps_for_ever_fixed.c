//~ termination: true
#include <stdio.h>

int main(void) {
    signed char x = 0;
    while (x >= 0) {
        x++;
        printf("%d", x);
    }
    return 0;
}
