// The same, where one that may be null is called without being asked for.
//~ options: --enforce tell
//~ memsafety: false
void tell(void (*seen)(int), int value)
__CPROVER_requires(seen == 0 || __BELAY_is_function(seen))
__CPROVER_assigns()
{
    seen(value);
}
