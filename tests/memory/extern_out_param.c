// A function without a body may write to what it is given.
extern int read_adc(int channel, unsigned *value);
static int table[4] = {1, 2, 3, 4};

int main(void) {
    unsigned v = 0;
    if (read_adc(3, &v) != 0) return 1;
    return table[v]; //~ false(valid-deref)
}
