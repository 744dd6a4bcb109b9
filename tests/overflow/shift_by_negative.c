int main(void) {
    int n = -1;
    return 8 >> n; //~ false(arithmetic)
}
