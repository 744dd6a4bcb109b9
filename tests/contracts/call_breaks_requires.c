//~ options: --replace root
unsigned root(unsigned x)
__CPROVER_requires(x < 100) //~ false(unreach-call)
__CPROVER_assigns()
__CPROVER_ensures(__CPROVER_return_value < 10)
;
int main(void)
{
    int table[10] = {0};
    return table[root(100)];
}
