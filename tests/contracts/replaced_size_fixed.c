//~ options: --replace same
int *same(int *p)
__CPROVER_requires(__CPROVER_is_fresh(p, 4))
__CPROVER_assigns()
__CPROVER_ensures(__CPROVER_return_value == p)
{
    return p;
}
int main(void) {
    int a[2] = {0, 0};
    same(a);
    __CPROVER_assert(0, "reached"); //~ false(unreach-call)
    return 0;
}
