//~ all: true
static int step(int x) { return (x * 5 + 3) % 16; }

int main(void) {
    int x = 0;
    while (x != 15)
        x = step(x);
    return 0;
}
