//~ all: true
int main(void) {
    int value = -1;
    int shifted = value * 4;
    return shifted == 0;
}
