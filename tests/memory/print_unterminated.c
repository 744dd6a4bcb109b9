#include <stdio.h>

int main(void) {
    char tag[3] = {'a', 'b', 'c'};
    printf("%s\n", tag); //~ false(valid-deref)
    return 0;
}
