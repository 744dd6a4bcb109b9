//~ memsafety: true
// A literal is read in the pass through its block in which it was made.
int main(void) {
    int i = 0;
    int value = 0;
    while (i < 2) {
        int *p = &(int){3};
        value += *p;
        i++;
    }
    return value;
}
