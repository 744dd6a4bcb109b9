/* No <alloca.h>: the call seems to return an int, and what becomes of the address is not told. */
int main(void)
{
    long *p = (long *)(long)alloca(sizeof *p); //~ unknown(valid-deref)
    *p = 1;
    return 0;
}
