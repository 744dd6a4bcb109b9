//~ options: --integers unbounded
//~ termination: true
int main(void) {
    int x = 1;
    while (x > 0 && x < 1000000)
        x = x * 2;
    return 0;
}
