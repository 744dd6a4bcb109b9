// As its twin, but the range of the bit-field is one more than the array has.
extern int __VERIFIER_nondet_int(void);

struct { unsigned a : 4, b : 12; } s;
int seven[7], six[6];

int main(void) {
    int n = __VERIFIER_nondet_int();
    s.a = 5;
    s.b = 0;
    for (int i = 0; i < n; i++) s.b = i & 7;
    return seven[s.b] + six[s.a]; //~ false(valid-deref)
}
