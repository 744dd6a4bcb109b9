// An error function that has a body is that body to every property but unreach-call.
//~ unreach-call: false(unreach-call)
extern int __VERIFIER_nondet_int(void);

void reach_error(void) {
    while (1) { //~ false(termination)
    }
}

int main(void) {
    if (__VERIFIER_nondet_int() == 5) reach_error();
    return 0;
}
