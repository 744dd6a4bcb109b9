// Two endless loops, each with a run of its own; of a nest it is the loop that goes on, not the one inside, nor the one around.
//~ options: --each-loop --property termination --time-limit 20
int __VERIFIER_nondet_int(void);
volatile int sink;
int main(void) {
    int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int(), i, j;
    while (x == 7) sink = 1;               //~ endless
    for (i = 0; i < 3; i++)                //~ ends
        while (y == 5)                     //~ endless
            for (j = 0; j < 2; j++)        //~ ends
                sink = j;
    return 0;
}
