// As size_elsewhere.c, but the file defines the array.
#include <assert.h>
#include <string.h>

//~ options: --engines values
//~ unreach-call: true

extern int table[];
static int copies[2] = {1, 1};

int main(void) {
    memcpy(copies, table, sizeof copies);
    assert(copies[0] == 1);
    assert(table[3] == 12345);
    return 0;
}

int table[4] = {1, 1, 1, 12345};
