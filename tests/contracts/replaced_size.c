// What holds of a block of just the size that is required need not hold of a caller's.
//~ options: --replace same
//~ unreach-call: unknown(OBJECT_SIZE)
int *same(int *p)
__CPROVER_requires(__CPROVER_is_fresh(p, 4))
__CPROVER_assigns()
__CPROVER_ensures(__CPROVER_return_value == p && __CPROVER_OBJECT_SIZE(p) == 4)
{
    return p;
}
int main(void) {
    int a[2] = {0, 0};
    same(a);
    __CPROVER_assert(0, "reached");
    return 0;
}
