// What a function gives back as fresh is in no block that it was given, not even in bytes of it that no clause names.
//~ options: --enforce rest
int *rest(int *p)
__CPROVER_requires(__CPROVER_is_fresh(p, 8 * sizeof(int)))
__CPROVER_assigns()
__CPROVER_ensures(__CPROVER_is_fresh(__CPROVER_return_value, 4 * sizeof(int))) //~ false(unreach-call)
{
    return p + 4;
}
