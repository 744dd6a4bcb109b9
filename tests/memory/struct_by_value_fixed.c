//~ memsafety: true
// A struct that is too large for registers is copied for the callee: what the callee writes is lost.
extern int __VERIFIER_nondet_int(void);

struct table {
    int entries[6];
    int used;
};

static int look_up(struct table table, int index) {
    table.used = 6;
    return table.entries[index];
}

int main(void) {
    struct table table = {{0}, 0};
    int index = __VERIFIER_nondet_int();
    if (index < 0 || index > 5)
        return 0;
    int found = look_up(table, index);
    return found + table.used;
}
