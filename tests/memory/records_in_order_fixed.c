// Records of a type, a length and so many bytes, one after the other: what is left gets smaller as the place moves, and they are counted.
//~ all: true
#include <stdlib.h>
int __VERIFIER_nondet_int(void);

static int count(const unsigned char *record, unsigned long left) {
    int records = 0;
    while (left >= 2) {
        unsigned long length = record[1];
        if (left < length + 2) {
            return -1;
        }
        if (records == 1000) {
            return records;
        }
        records++;
        record += length + 2;
        left -= length + 2;
    }
    return left == 0 ? records : -1;
}

int main(void) {
    int size = __VERIFIER_nondet_int();
    if (size < 0) {
        return 0;
    }
    unsigned char *records = malloc((unsigned long)size);
    if (records == NULL) {
        return 0;
    }
    for (int i = 0; i < size; i++) {
        records[i] = (unsigned char)__VERIFIER_nondet_int();
    }
    int found = count(records, (unsigned long)size);
    free(records);
    return found < 0;
}
