int main(void) {
    unsigned x = 7u % 0u; //~ false(arithmetic)
    return x == 0;
}
