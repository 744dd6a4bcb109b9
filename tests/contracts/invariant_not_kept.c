// True before the loop, not after two rounds.
int main(void)
{
    int s = 0;
    for (int i = 0; i < 5; i++) //~ false(unreach-call)
    __CPROVER_loop_invariant(s <= 2)
    {
        s += i;
    }
    return s;
}
