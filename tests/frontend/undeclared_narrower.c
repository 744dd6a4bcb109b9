// A function that no declaration describes and that expects more bits than it is given: what the others are is not said.
//~ options: --rules cbmc -- -std=gnu90 -Wno-implicit-function-declaration
int main(void)
{
    int small = 5;
    doubled(small); //~ unknown(unreach-call)
    return 0;
}

int doubled_elsewhere(long wide) __asm__("doubled");
int doubled_elsewhere(long wide)
{
    __CPROVER_assert(wide == 5, "all bits of the argument");
    return 0;
}
