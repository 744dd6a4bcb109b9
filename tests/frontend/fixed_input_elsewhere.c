//~ options: --files given
#include <stdio.h>

/* What lies outside of the folder is not known. */
int main(void) {
    FILE *f = fopen("/etc/hostname", "r"); //~ unknown(unreach-call)
    if (f != NULL)
        fclose(f);
    return 0;
}
