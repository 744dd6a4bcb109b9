//~ unreach-call: true
extern unsigned any_number(void);
extern void reach_error(void);

static unsigned twice(unsigned x) { return 2 * x; }

int main(void)
{
    unsigned n = any_number();
    if (n < 5000 && twice(n) == 1037)
        reach_error();
    return 0;
}
