// All rows fit.
//~ options: --engines structural,values --property memsafety
//~ memsafety: true
int __VERIFIER_nondet_int(void);
struct row { int key, place; };
static int table[10];
static const struct row rows[3] = {{1000, 2}, {3000, 4}, {5000, 6}};
int main(void) {
    unsigned i = __VERIFIER_nondet_int();
    struct row chosen = rows[i % 3];
    table[chosen.place] = chosen.key;
    return 0;
}
