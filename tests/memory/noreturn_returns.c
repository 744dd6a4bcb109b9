// A function that is declared not to return, and does.
int __VERIFIER_nondet_int(void);
void exit(int);

__attribute__((noreturn)) static void leave(int code) {
    if (code != 3) exit(code);
} //~ false(valid-deref)

int main(void) {
    leave(__VERIFIER_nondet_int());
}
