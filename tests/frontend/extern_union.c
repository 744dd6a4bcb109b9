// A union that is passed by value may be a pointer, though it is passed as a number.
union any {
    long number;
    int *pointer;
};
extern void work(union any argument);

int main(void) {
    int x = 1;
    union any argument;
    argument.pointer = &x;
    work(argument); //~ unknown(valid-deref)
    return x;
}
