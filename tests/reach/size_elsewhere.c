// An array of which another file gives the size and the elements: nothing is known of what is read, and what comes after the read is no dead code.
#include <assert.h>
#include <string.h>

//~ options: --engines values
//~ unreach-call: unknown

extern int table[];
static int copies[2] = {1, 1};

int main(void) {
    memcpy(copies, table, sizeof copies);
    assert(copies[0] == 1);
    assert(table[3] == 12345);
    return 0;
}
