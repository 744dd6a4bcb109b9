// Each round looks at the variable of the round before.
static int seen;
int main(void) {
    int *p = &seen;
    for (int i = 0; i < 3; i++) {
        int x = i;
        if (i > 0) seen = *p; //~ false(valid-deref)
        p = &x;
    }
    return 0;
}
