// A callee leaves the address of its local in a variable of its caller.
static int global;
static void lend(int **out) {
    int local = 1;
    *out = &local;
}
int main(void) {
    int *p = &global;
    lend(&p);
    return *p; //~ false(valid-deref)
}
