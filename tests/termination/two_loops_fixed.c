//~ all: true
int main(void) {
    int x = 1, rounds = 0;
    if (x)
        goto middle;
top:
    x = 2;
middle:
    x = 3;
    if (rounds++ < 5)
        goto top;
    return 0;
}
