// A function of inputs whose name ends like that of another gives all values of its own type.
extern unsigned char __VERIFIER_nondet_Bool(void);
extern void reach_error(void);
int main(void)
{
    int x = __VERIFIER_nondet_Bool();
    if (x != 0 && x != 1) reach_error(); //~ false(unreach-call)
    return 0;
}
