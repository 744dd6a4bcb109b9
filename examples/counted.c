extern unsigned __VERIFIER_nondet_uint(void);

/* Ends for every input: each loop has a counter that moves towards a bound. */
int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    unsigned hash = 5381;
    for (unsigned i = 0; i < n; i++)
        for (int bit = 7; bit >= 0; bit--)
            hash = hash * 33 ^ (n >> bit & 1);
    return hash & 1;
}
