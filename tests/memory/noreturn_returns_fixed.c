//~ memsafety: true
//~ termination: true
int __VERIFIER_nondet_int(void);
void exit(int);

__attribute__((noreturn)) static void leave(int code) {
    exit(code);
}

int main(void) {
    leave(__VERIFIER_nondet_int());
}
