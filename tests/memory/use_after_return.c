static int *counter(void) {
    int count = 5;
    int *p = &count;
    return p;
}

int main(void) {
    int *p = counter();
    return *p; //~ false(valid-deref)
}
