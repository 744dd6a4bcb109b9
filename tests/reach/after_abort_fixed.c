//~ unreach-call: true
//~ termination: true
#include <stdlib.h>

extern void reach_error(void);

int main(void) {
    if (malloc(1) != NULL)
        abort();
    reach_error();
}
