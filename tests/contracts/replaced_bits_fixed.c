//~ options: --replace same
//~ unreach-call: true
int same(int x)
__CPROVER_assigns()
__CPROVER_ensures(__CPROVER_return_value == (x & 1))
{
    return x & 1;
}
int main(void) {
    int y = same(2);
    __CPROVER_assert(y == 0, "low bit");
    return 0;
}
