//~ unreach-call: unknown(may do more than look)
static int tick(int *p) { *p = 3; return 1; }
int main(void) {
    int i = 0, x = 0;
    while (i < 3)
    __CPROVER_loop_invariant(tick(&x))
    {
        i++;
    }
    __CPROVER_assert(x == 0, "nothing changes it");
    return 0;
}
