// The byte that it writes keeps the number small.
//~ options: --engines structural,values --property memsafety
//~ memsafety: true
int __VERIFIER_nondet_int(void);
static int table[10], index_ = 1;
static void set(int *number, int value) { *number = value; }
int main(void) {
    set(&index_, 5);
    table[index_] = 1;
    return 0;
}
