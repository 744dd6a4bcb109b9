/* Unsigned shorts are multiplied as signed ints. */
int main(void) {
    unsigned short x = 65535;
    unsigned y = x * x; //~ false(no-overflow)
    return y == 0;
}
