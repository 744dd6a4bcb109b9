// A declaration that is reached again leaves anything in the variable, though its life goes on (C17 6.2.4p6): pointers to it stay valid.
extern void reach_error(void);
int main(void)
{
    int rounds = 0;
    int *kept = 0;
again:;
    int number;
    struct { int first; char bytes[20]; } whole;
    if (rounds == 0) {
        number = 7;
        whole.first = 8;
        kept = &whole.first;
    }
    if (++rounds < 3)
        goto again;
    *kept = 9;
    if (whole.first != 9)
        reach_error();
    if (number != 7)
        reach_error(); //~ false(unreach-call)
    return 0;
}
