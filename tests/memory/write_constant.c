static const int limit = 10;

int main(void) {
    int *p = (int *)&limit;
    *p = 20; //~ false(valid-deref)
    return 0;
}
