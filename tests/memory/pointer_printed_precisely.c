// C leaves a precision of %p undefined, and glibc prints as many digits as it says: nothing is known of how long the text is.
//~ options: --engines graph
//~ memsafety: unknown
#include <stdio.h>

int main(int argc, char **argv) {
    char text[21];
    if (argc > 1)
        sprintf(text, "%.30p", (void *)argv);
    return 0;
}
