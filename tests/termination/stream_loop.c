// After the end every read gives EOF.
#include <stdio.h>

int main(void) {
    while (getchar() != '\n') //~ false(termination)
        ;
    return 0;
}
