// Each pass through the block is a life of its own, also where the declaration is jumped over.
extern void reach_error(void);
int main(void)
{
    for (int i = 0; i < 2; i++) {
        if (i)
            goto behind;
        int number;
behind:
        if (i == 0)
            number = 7;
        else if (number != 7)
            reach_error(); //~ false(unreach-call)
    }
    return 0;
}
