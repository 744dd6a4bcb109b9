// Complex integers are added: an overflow, as the type is signed, which the instruction does not say.
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    _Complex int z = __VERIFIER_nondet_int();
    z = z + z; //~ unknown(no-overflow)
    return __real__ z > 3;
}
