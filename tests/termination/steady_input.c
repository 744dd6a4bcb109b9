//~ termination: false
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int state = 0;
    while (1) {
        int event = __VERIFIER_nondet_int();
        if (state == 0 && event == 1)
            state = 1;
        else if (state == 1 && event == 2)
            return 0;
    }
}
