//~ termination: false
#include <stdio.h>

int main(void) {
    for (;;)
        puts("still here");
}
