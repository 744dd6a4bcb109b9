/* No <alloca.h>: a library function that is called without a declaration has its true type all the same. */
//~ memsafety: true
int main(void)
{
    long *p = (long *)(long)alloca(sizeof *p);
    *p = 1;
    return 0;
}
