// The inner loop ends, whatever it does to the outer one's counter; the outer one does not.
//~ options: --each-loop --property termination --time-limit 20
int __VERIFIER_nondet_int(void);
int main(void) {
    int i = 0, j;
    while (i < 10) {                 //~ endless
        i++;
        for (j = 0; j < 2; j++)      //~ ends
            i = 0;
    }
    return 0;
}
