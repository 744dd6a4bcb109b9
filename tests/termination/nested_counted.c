//~ termination: false
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 10; j++)
            if (j == 9)
                j = 0;
    return 0;
}
