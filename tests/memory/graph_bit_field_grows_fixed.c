//~ options: --engines graph
//~ memsafety: true
// A bit-field that is set from a growing number: the other one keeps its value, and its own has a range.
extern int __VERIFIER_nondet_int(void);

struct { unsigned a : 4, b : 12; } s;
int eight[8], six[6];

int main(void) {
    int n = __VERIFIER_nondet_int();
    s.a = 5;
    s.b = 0;
    for (int i = 0; i < n; i++) s.b = i & 7;
    return eight[s.b] + six[s.a];
}
