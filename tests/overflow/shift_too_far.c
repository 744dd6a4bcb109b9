int main(void) {
    int width = 32;
    unsigned mask = 1u << width; //~ false(arithmetic)
    return mask == 0;
}
