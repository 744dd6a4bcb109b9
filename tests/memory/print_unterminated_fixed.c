//~ all: true
#include <stdio.h>

int main(void) {
    char tag[3] = {'a', 'b', 'c'};
    printf("%.3s\n", tag);
    return 0;
}
