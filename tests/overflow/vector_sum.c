// Elements of vectors are added: an overflow, as the type is signed, which the instruction does not say.
extern int __VERIFIER_nondet_int(void);
typedef int four __attribute__((vector_size(16)));
int main(void)
{
    four v = {1, 2, 3, 4}, w = {1, 2, 3, __VERIFIER_nondet_int()};
    v = v + w; //~ unknown(no-overflow)
    return v[3] > 1;
}
