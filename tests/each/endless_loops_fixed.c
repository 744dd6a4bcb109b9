// The same loops with a way out.
//~ options: --each-loop --property termination --time-limit 20
int __VERIFIER_nondet_int(void);
volatile int sink;
int main(void) {
    int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int(), i, j;
    while (x == 7) x = 8;                  //~ ends
    for (i = 0; i < 3; i++)                //~ ends
        while (y == 5) {                   //~ ends
            for (j = 0; j < 2; j++)        //~ ends
                sink = j;
            y = 6;
        }
    return 0;
}
