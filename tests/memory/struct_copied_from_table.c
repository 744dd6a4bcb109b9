// A struct is copied out of a table of which one row is too large.
int __VERIFIER_nondet_int(void);
struct row { int key, place; };
static int table[10];
static const struct row rows[3] = {{1, 2}, {3, 4}, {5, 60}};
int main(void) {
    unsigned i = __VERIFIER_nondet_int();
    struct row chosen = rows[i % 3];
    table[chosen.place] = chosen.key; //~ false(valid-deref)
    return 0;
}
