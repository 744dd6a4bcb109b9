//~ unreach-call: true
//~ termination: true
//~ memsafety: true
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

/* Nothing that can go wrong is reachable. */
int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x > 0)
        return 1;
    return 0;
}
