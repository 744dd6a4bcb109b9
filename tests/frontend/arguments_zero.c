//~ options: --argc-may-be-zero
#include <stdio.h>
int main(int argc, char **argv) {
    (void)argc;
    return argv[0][0]; //~ false(valid-deref)
}
