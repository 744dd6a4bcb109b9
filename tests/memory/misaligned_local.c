//~ options: --check-alignment
// An array of characters may lie anywhere.
int main(void) {
    char bytes[8];
    int *number = (int *)bytes;
    *number = 5; //~ false(valid-deref)
    return 0;
}
