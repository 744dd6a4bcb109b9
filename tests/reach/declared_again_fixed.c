//~ all: true
// The same with a variable that lives for ever.
extern void reach_error(void);
int main(void)
{
    int rounds = 0;
    int *kept = 0;
again:;
    static int number;
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
        reach_error();
    return 0;
}
