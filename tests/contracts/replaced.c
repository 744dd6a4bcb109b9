// The body of `root` is not there; its contract is enough.
//~ options: --replace root
//~ all: true
int hits;
unsigned root(unsigned x)
__CPROVER_requires(x < 100)
__CPROVER_assigns(hits)
__CPROVER_ensures(__CPROVER_return_value < 10 && hits >= 0 && hits < 7)
;
int main(void)
{
    int table[10] = {0};
    return table[root(99)] + 10 / (hits + 1);
}
