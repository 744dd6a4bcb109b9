//~ options: --integers machine
//~ termination: false
int main(void) {
    int x = 1;
    while (x > 0)
        x = x < 8 ? x * 2 : 1;
    return 0;
}
