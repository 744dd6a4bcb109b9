//~ all: true
int main(void) {
    short total = 0;
    for (int i = 0; i < 40; i++)
        total += 1000;
    return total != -25536;
}
