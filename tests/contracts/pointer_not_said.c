// A caller may pass anything.
//~ options: --enforce first
int first(const int *p)
__CPROVER_requires(p != 0)
{
    return *p; //~ false(valid-deref)
}
