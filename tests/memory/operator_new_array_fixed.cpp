//~ all: true
extern "C" int __VERIFIER_nondet_int();

struct number {
    double re, im;
    number(double r, double i = 0) : re(r), im(i) {}
};
static number operator+(double a, const number &b) { return number(a + b.re, b.im); }

int main() {
    number i(0.0, -1.0), a = 2.0 + i;
    int *p = new int[4], k = __VERIFIER_nondet_int();
    if (k >= 0 && k < 4)
        p[k] = (int)a.re;
    delete[] p;
    return 0;
}
