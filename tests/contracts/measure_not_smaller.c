// The measure stays the same in the round that changes only the other variable.
int __VERIFIER_nondet_int(void);
int main(void)
{
    unsigned x = 5, y = 3;
    while (x > 0) //~ false(unreach-call)
    __CPROVER_decreases(x)
    {
        if (y > 0) y--;
        else x--;
    }
    return 0;
}
