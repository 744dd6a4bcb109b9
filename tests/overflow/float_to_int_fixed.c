//~ all: true
int main(void) {
    double big = 3e9, edge = -2147483648.9;
    unsigned x = (unsigned)big;
    int y = (int)edge;
    return x != 3000000000u || y != -2147483647 - 1;
}
