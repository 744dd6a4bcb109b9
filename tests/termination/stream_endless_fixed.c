//~ termination: true
#include <stdio.h>

int main(void) {
    while (getchar() != EOF)
        ;
    return 0;
}
