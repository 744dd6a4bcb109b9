// It stops in time.
//~ options: --engines structural,values --property memsafety
//~ memsafety: true
static int table[10];
static void fill(int n) {
    if (n < 9) fill(n + 1);
    table[n] = 1;
}
int main(void) { fill(0); return 0; }
