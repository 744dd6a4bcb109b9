//~ no-overflow: true
// A negative value shifted left is a bad shift, no overflow.
int main(void) {
    int value = -1;
    int shifted = value << 2; //~ false(arithmetic)
    return shifted == 0;
}
