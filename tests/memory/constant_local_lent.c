// A function writes through the address of a local that is declared const.
extern int __VERIFIER_nondet_int(void);
static void set(int *place) { *place = 3; }
int main(void)
{
    const int limit = __VERIFIER_nondet_int();
    if (limit > 10) set((int *)&limit); //~ unknown(valid-deref)
    return 0;
}
