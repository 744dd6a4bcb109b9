int main(void) {
    int bit = 31;
    int mask = 1 << bit; //~ false(arithmetic)
    return mask > 0;
}
