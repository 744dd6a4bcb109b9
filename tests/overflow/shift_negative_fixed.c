//~ all: true
int main(void) {
    int x = -1;
    return (int)((unsigned)x << 4) + 16;
}
