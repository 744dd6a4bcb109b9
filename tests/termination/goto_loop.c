//~ termination: false
int main(void) {
    int x = 0;
again:
    x = !x;
    if (x < 2)
        goto again;
    return 0;
}
