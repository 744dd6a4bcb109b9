// A local that a `goto` jumps past lives as long as its block.
int main(int argc, char **argv) {
    int *p = 0;
    (void)argv;
    {
        if (argc > 2) goto inside;
        int x = 1;
    inside:
        p = &x;
        *p = 5;
    }
    return *p; //~ false(valid-deref)
}
