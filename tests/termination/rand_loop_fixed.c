//~ termination: true
#include <stdlib.h>

int main(void) {
    for (int tries = 0; tries < 100 && rand() % 6 != 5; tries++)
        ;
    return 0;
}
