// A callee changes one byte of a global that it knows by another name.
int __VERIFIER_nondet_int(void);
static int table[10], index_ = 1;
static void set(char *byte, char value) { *byte = value; }
int main(void) {
    set((char *)&index_, 55);
    table[index_] = 1; //~ false(valid-deref)
    return 0;
}
