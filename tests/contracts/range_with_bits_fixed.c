//~ options: --enforce clear
//~ memsafety: true
//~ unreach-call: true
void clear(int *a, int z)
__CPROVER_requires(z == 1)
__CPROVER_requires(__CPROVER_is_fresh(a, 3 * sizeof(int)))
__CPROVER_assigns(__CPROVER_object_whole(a))
__CPROVER_ensures(__CPROVER_forall { int k; 0 <= k && k < (3 & z) ==> a[k] == 0 })
{
    a[0] = 0;
    a[1] = 1;
    a[2] = 2;
}
