//~ options: --check-alignment
//~ memsafety: true
// What a recursive function is given is aligned as the caller's object is.
extern int __VERIFIER_nondet_int(void);

static int last(int *number, int depth) {
    if (depth <= 0)
        return *number;
    return last(number, depth - 1);
}

int main(void) {
    int numbers[1] = {0};
    return last(numbers, __VERIFIER_nondet_int());
}
