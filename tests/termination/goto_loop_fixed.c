//~ all: true
int main(void) {
    int x = 0;
again:
    x++;
    if (x < 2)
        goto again;
    return 0;
}
