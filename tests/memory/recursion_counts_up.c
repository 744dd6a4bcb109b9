// A recursive function passes on one more each time, and one too many.
static int table[10];
static void fill(int n) {
    if (n < 10) fill(n + 1);
    table[n] = 1; //~ false(valid-deref)
}
int main(void) { fill(0); return 0; }
