//~ options: --replace set
// Only the equation whose condition holds says what is there.
void set(int *x, int c)
__CPROVER_requires(__CPROVER_is_fresh(x, sizeof(*x)))
__CPROVER_assigns(*x)
__CPROVER_ensures(c != 0 ==> *x == 1)
__CPROVER_ensures(c != 1 ==> *x == 2);

int main(void)
{
    int x = 0;
    set(&x, 0);
    __CPROVER_assert(x == 1, "the second equation holds"); //~ false(unreach-call)
    return 0;
}
