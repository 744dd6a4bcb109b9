//~ all: true
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    for (int i = 0;; i++) {
        puts("still here");
        if (i == 5)
            exit(0);
    }
}
