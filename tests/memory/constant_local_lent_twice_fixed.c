//~ memsafety: true
int __VERIFIER_nondet_int(void);

static int get(const int *p) {
    return *p;
}

static int first(int n) {
    const int x = 1;
    int sum = get(&x);
    if (n != n)
        sum += get(&x);
    return sum + x;
}

static int second(int n) {
    const int x = 1;
    int sum = 0;
    if (n != n)
        sum += get(&x);
    sum += get(&x);
    return sum + x;
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    return n > 0 ? first(n) : second(n);
}
