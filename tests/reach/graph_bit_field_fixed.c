//~ options: --engines graph
//~ unreach-call: true
//~ memsafety: true
// A loop writes one of several bit-fields: the others stay what they were.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

struct packed {
    unsigned low : 3, middle : 5, high : 8;
};

int main(void) {
    struct packed packed;
    packed.low = 0;
    packed.middle = 9;
    packed.high = 200;
    int n = __VERIFIER_nondet_int();
    for (int i = 0; i < n; i++)
        packed.low = __VERIFIER_nondet_int();
    if (packed.middle != 9 || packed.high != 200)
        reach_error();
    int counts[8] = {0};
    counts[packed.low]++;
    return 0;
}
