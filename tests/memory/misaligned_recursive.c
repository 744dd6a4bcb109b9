//~ options: --check-alignment
// What a recursive function is given is aligned as the caller's object is.
extern int __VERIFIER_nondet_int(void);

static int last(int *number, int depth) {
    if (depth <= 0)
        return *number; //~ false(valid-deref)
    return last(number, depth - 1);
}

int main(void) {
    char bytes[4] = {0};
    return last((int *)bytes, __VERIFIER_nondet_int());
}
