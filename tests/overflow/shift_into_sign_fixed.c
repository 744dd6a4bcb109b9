//~ all: true
int main(void) {
    int bit = 30;
    int mask = 1 << bit;
    return mask != 1073741824;
}
