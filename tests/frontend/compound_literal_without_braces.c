// The body of a loop is a block also without braces, which debug information does not show.
int main(void) {
    int i = 0;
    int *p = 0;
    while (i < 3)
        p = &(int){i++}; //~ unknown(valid-deref)
    return *p;
}
