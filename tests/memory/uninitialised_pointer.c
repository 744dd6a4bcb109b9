int main(void) {
    int *p;
    *p = 1; //~ false(valid-deref)
    return 0;
}
