//~ options: --files given
//~ unreach-call: unknown(absolute path)
#include <stdio.h>

/* What lies outside of the folder is not known. */
int main(void) {
    FILE *f = fopen("/etc/hostname", "r");
    if (f != NULL)
        fclose(f);
    return 0;
}
