//~ options: --replace zero
//~ unreach-call: true
double zero(void)
__CPROVER_assigns()
__CPROVER_ensures(__CPROVER_return_value == 0.0)
{
    return -0.0;
}
int main(void) {
    double x = zero();
    __CPROVER_assert(x + 1.0 == 1.0, "no sign");
    return 0;
}
