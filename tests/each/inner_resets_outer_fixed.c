// The inner loop leaves the counter alone.
//~ options: --each-loop --property termination --time-limit 20
int __VERIFIER_nondet_int(void);
int main(void) {
    int i = 0, j, k;
    while (i < 10) {                 //~ ends
        i++;
        for (j = 0; j < 2; j++)      //~ ends
            k = 0;
    }
    return k;
}
