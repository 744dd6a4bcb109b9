// What the low bits of a wider result are not.
//~ options: --rules cbmc -- -std=gnu90 -Wno-implicit-function-declaration
//~ memsafety: unknown(it holds as long as no assertion beside the code)
int main(void)
{
    long big = 0x100000005L;
    int low = doubled(big);
    __CPROVER_assert(low == 11, "low bits of the result"); //~ false(unreach-call)
    kept(big);
    return 0;
}

long doubled_elsewhere(int narrow) __asm__("doubled");
long doubled_elsewhere(int narrow)
{
    return narrow * 2L + 0x700000000L;
}

int *kept_elsewhere(unsigned char byte) __asm__("kept");
int *kept_elsewhere(unsigned char byte)
{
    __CPROVER_assert(byte == 5, "low bits of the argument");
    return 0;
}
