#include <stdlib.h>

extern void reach_error(void);

int main(void) {
    if (malloc(1) == NULL)
        abort();
    reach_error(); //~ false(unreach-call)
}
