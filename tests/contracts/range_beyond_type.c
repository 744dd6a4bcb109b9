// No `unsigned char` is 300: nothing is said of any element.
//~ options: --enforce look
void look(int *a)
__CPROVER_requires(__CPROVER_is_fresh(a, 400 * sizeof(int)))
__CPROVER_requires(__CPROVER_forall { unsigned char k; 300 <= k && k < 400 ==> a[k] == 0 })
__CPROVER_assigns()
{
    __CPROVER_assert(a[50] == 0, "not said"); //~ false(unreach-call)
}
