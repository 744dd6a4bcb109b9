//~ all: true
int main(void) {
    int width = 32;
    unsigned long long mask = 1ull << width;
    return mask != 4294967296ull;
}
