// Elements of a vector are shifted by less than their bits.
//~ arithmetic: true
//~ no-overflow: true
extern unsigned __VERIFIER_nondet_uint(void);
typedef unsigned four __attribute__((vector_size(16)));
int main(void)
{
    four v = {1, 2, 3, 4}, by = {1, 2, 3, __VERIFIER_nondet_uint() & 31};
    v = v << by;
    v = v >> 3;
    return v[3] > 1;
}
