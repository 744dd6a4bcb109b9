// As graph_union_loop_fixed.c, but it may write the byte that is looked at.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

union word {
    unsigned all;
    unsigned char bytes[4];
};

int main(void) {
    union word word;
    word.all = 0x01020304;
    int n = __VERIFIER_nondet_int();
    for (int i = 0; i < n; i++)
        word.bytes[n > 100] = __VERIFIER_nondet_int();
    if (word.bytes[1] != 3 || word.bytes[3] != 1)
        reach_error(); //~ false(unreach-call)
    return 0;
}
