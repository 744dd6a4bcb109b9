// Each round looks at its own.
//~ options: --engines structural,values --property memsafety
//~ memsafety: true
static int seen;
static int read(int *p) { return *p; }
int main(void) {
    for (int i = 0; i < 3; i++) {
        int x = i;
        seen = read(&x);
    }
    return 0;
}
