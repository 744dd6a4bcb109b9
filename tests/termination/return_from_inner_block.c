//~ termination: false
// A return and a break out of blocks with variables of their own, inside a loop: one of them starts over.
extern int __VERIFIER_nondet_int(void);

static int find(const int *a, int n, int x) {
    for (int i = 0; i < n;) {
        int v = a[i];
        if (v == x) {
            return i;
        }
        {
            char low[4];
            low[0] = (char)v;
            if (low[0] == 3) {
                int copy = v;
                if (copy < 0) {
                    return -2;
                }
            } else if (low[0] == 5) {
                i = 0;
            } else {
                i++;
            }
        }
    }
    return -1;
}

int main(void) {
    int a[10];
    for (int i = 0; i < 10; i++) {
        a[i] = __VERIFIER_nondet_int();
    }
    return find(a, 10, 3);
}
