extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    unsigned char d = __VERIFIER_nondet_uchar();
    return 100 / (d & 3); //~ false(arithmetic)
}
