// The caller lends its own variable.
//~ options: --engines structural,values --property memsafety
//~ memsafety: true
static int use(int **in) { return **in; }
int main(void) {
    int local = 1;
    int *p = &local;
    return use(&p);
}
