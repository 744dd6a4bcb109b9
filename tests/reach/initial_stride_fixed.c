//~ unreach-call: true
// Every fourth element of a table, counted from the second, is read as it was at the start, where every second one, from the third on, has been written.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int table[12] = {0, 5, 0, 100, 0, 5, 0, 100, 0, 5, 0, 0};

int main(void)
{
    int n = __VERIFIER_nondet_int();
    table[1] = 5;
    for (int i = 0; i <= 4; i++)
        table[2 + 2 * i] = n;
    for (int j = 0; j <= 2; j++)
        if (table[1 + 4 * j] != 5)
            reach_error();
    return 0;
}
