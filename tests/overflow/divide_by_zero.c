int main(void) {
    int total = 10, count = 0;
    return total / count; //~ false(arithmetic)
}
