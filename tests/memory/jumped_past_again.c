// Each time that control gets into the block is a new life, by whatever way it gets there.
int main(void) {
    int *p = 0;
    int round = 0, r = 0;
again:
    if (p) r = *p; //~ false(valid-deref)
    {
        if (round) goto inside;
        int x = 1;
    inside:
        p = &x;
        x = round;
    }
    if (round++ < 2) goto again;
    return r;
}
