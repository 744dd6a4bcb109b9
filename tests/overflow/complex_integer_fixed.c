// Complex integers are added, negated and counted up: no overflow.
//~ no-overflow: true
extern short __VERIFIER_nondet_short(void);
int main(void)
{
    _Complex int z = __VERIFIER_nondet_short();
    z = z + z;
    z = -z;
    z++;
    return __real__ z > 3;
}
