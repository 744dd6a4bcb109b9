//~ unreach-call: true
//~ termination: true
int main(void)
{
    unsigned x = 5, y = 3;
    while (x > 0)
    __CPROVER_loop_invariant(x <= 5 && y <= 3)
    __CPROVER_decreases(x, y)
    {
        if (y > 0) y--;
        else { x--; y = 3; }
    }
    return 0;
}
