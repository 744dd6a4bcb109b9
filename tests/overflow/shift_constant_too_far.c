int main(void) {
    int x = 1 << 40; //~ false(arithmetic)
    return x == 0;
}
