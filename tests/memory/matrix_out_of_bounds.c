int main(void) {
    int m[2][4] = {{0}};
    int column = 4;
    m[1][column] = 1; //~ false(valid-deref)
    return 0;
}
