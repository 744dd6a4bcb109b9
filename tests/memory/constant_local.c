// A local that is declared const must not be written, however a cast makes it possible (C17 6.7.3p7).
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    const int limits[2] = {__VERIFIER_nondet_int(),
                           10};
    const int limit = limits[1], *where = &limit;
    if (*where > limits[0]) ((int *)limits)[1] = 4; //~ false(valid-deref)
    return limits[1] - *where;
}
