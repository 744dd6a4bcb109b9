// An address that is kept or cleared by a mask, without a branch: cleared, it is null.
extern _Bool __VERIFIER_nondet_bool(void);

int main(void)
{
    int value = 7;
    _Bool kept = __VERIFIER_nondet_bool();
    unsigned long mask = -(unsigned long)kept;
    int *p = (int *)((unsigned long)&value & mask);
    return *p; //~ false(valid-deref)
}
