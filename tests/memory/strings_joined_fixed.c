//~ options: --property memsafety --engines graph
//~ memsafety: true
// Lengths that are added, once with memcpy, once with the functions for strings, and a loop to the end by hand.
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv) {
    if (argc < 3)
        return 1;
    size_t n = strlen(argv[1]), m = strlen(argv[2]);
    char *both = malloc(n + m + 1), *again = malloc(n + m + 1), *third = malloc(strlen(argv[1]) + 1);
    memcpy(both, argv[1], n);
    memcpy(both + n, argv[2], m + 1);
    strcpy(again, argv[1]);
    strcat(again, argv[2]);
    char *to = third;
    for (char *from = argv[1]; *from; from++)
        *to++ = *from;
    *to = 0;
    both[strlen(again)] = 0;
    free(both);
    free(again);
    free(third);
    return 0;
}
