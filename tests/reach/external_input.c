// What a function without a body returns is drawn like an input: from the numbers that the program compares with.
extern unsigned any_number(void);
extern void reach_error(void);

static unsigned count(unsigned x) { return x == 0 ? 0 : count(x - 1) + 1; }

int main(void)
{
    unsigned n = any_number();
    if (n < 5000 && count(n) == 1037)
        reach_error(); //~ false(unreach-call)
    return 0;
}
