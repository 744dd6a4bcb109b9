//~ options: --replace second
//~ memsafety: true
// An equation says where the result leads.
int *second(int *a)
__CPROVER_requires(__CPROVER_is_fresh(a, 4 * sizeof(int)))
__CPROVER_assigns()
__CPROVER_ensures(__CPROVER_return_value == a + 1);

int main(void)
{
    int a[4] = {1, 2, 3, 4};
    int *p = second(a);
    return p[2];
}
