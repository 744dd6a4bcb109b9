int main(void) {
    double big = 3e9;
    int x = (int)big; //~ false(arithmetic)
    return x == 0;
}
