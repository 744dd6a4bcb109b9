// Elements of vectors are added, subtracted and multiplied: no overflow.
//~ no-overflow: true
extern short __VERIFIER_nondet_short(void);
typedef int four __attribute__((vector_size(16)));
int main(void)
{
    four v = {1, 2, 3, 4}, w = {1, 2, 3, __VERIFIER_nondet_short()};
    v = v + w - 5;
    v = v * 2;
    return v[3] > 1;
}
