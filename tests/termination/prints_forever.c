//~ termination: false(termination)
// What is printed does not matter to whether the loop ends.
#include <stdio.h>

int main(void)
{
    unsigned i = 0;
    for (;;) {
        printf("%u %s\n", i, "so far");
        i++;
    }
}
