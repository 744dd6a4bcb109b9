//~ all: true
extern void abort(void);

void reach_error(void) {}

void __VERIFIER_assert(int condition) {
    if (!condition)
        abort();
}

int main(void) {
    __VERIFIER_assert(1);
    __VERIFIER_assert(0);
    return 0;
}
