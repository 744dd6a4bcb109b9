// Two zeros are equal, and differ.
//~ options: --replace zero
double zero(void)
__CPROVER_assigns()
__CPROVER_ensures(__CPROVER_return_value == 0.0)
{
    return -0.0;
}
int main(void) {
    double x = zero();
    __CPROVER_assert(1.0 / x > 0, "sign"); //~ false(unreach-call)
    return 0;
}
