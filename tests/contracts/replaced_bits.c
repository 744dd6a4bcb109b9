// `r == x & 1` is `(r == x) & 1`.
//~ options: --replace same
int same(int x)
__CPROVER_assigns()
__CPROVER_ensures(__CPROVER_return_value == x & 1)
{
    return x;
}
int main(void) {
    int y = same(2);
    __CPROVER_assert(y == 0, "low bit"); //~ false(unreach-call)
    return 0;
}
