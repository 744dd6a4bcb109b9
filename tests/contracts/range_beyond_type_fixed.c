//~ options: --enforce look
//~ unreach-call: true
void look(int *a)
__CPROVER_requires(__CPROVER_is_fresh(a, 400 * sizeof(int)))
__CPROVER_requires(__CPROVER_forall { unsigned char k; 50 <= k && k < 52 ==> a[k] == 0 })
__CPROVER_assigns()
{
    __CPROVER_assert(a[50] == 0, "said");
}
