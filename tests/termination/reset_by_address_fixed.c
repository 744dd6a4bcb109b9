//~ termination: true
/* The counter is set back through a pointer that may lead to it: the walk goes on and comes to its end. */
extern int __VERIFIER_nondet_int(void);
int left, other;

int main(void) {
    char buffer[4] = {0};
    char *p = buffer, *end = buffer + 4;
    int chosen = __VERIFIER_nondet_int();
    left = 10;
    while (left > 0 && p != end) {
        int *q = chosen ? &left : &other;
        left--;
        p++;
        *q = 10;
    }
    return 0;
}
