// Sixteen million activations of a call chain are twenty-five functions.
//~ options: --property memsafety,no-overflow --engines structural,values
//~ memsafety: true
//~ no-overflow: true
int __VERIFIER_nondet_int(void);
static int t[64];
static int f0(int x) {
    int s = 0;
    for (int i = 0; i < (x & 7); i++) s += t[i] & 3;
    return s & 63;
}
static int f1(int x) { t[x & 63] = f0(x & 31); return f0(t[x & 63]) & 63; }
static int f2(int x) { t[x & 63] = f1(x & 31); return f1(t[x & 63]) & 63; }
static int f3(int x) { t[x & 63] = f2(x & 31); return f2(t[x & 63]) & 63; }
static int f4(int x) { t[x & 63] = f3(x & 31); return f3(t[x & 63]) & 63; }
static int f5(int x) { t[x & 63] = f4(x & 31); return f4(t[x & 63]) & 63; }
static int f6(int x) { t[x & 63] = f5(x & 31); return f5(t[x & 63]) & 63; }
static int f7(int x) { t[x & 63] = f6(x & 31); return f6(t[x & 63]) & 63; }
static int f8(int x) { t[x & 63] = f7(x & 31); return f7(t[x & 63]) & 63; }
static int f9(int x) { t[x & 63] = f8(x & 31); return f8(t[x & 63]) & 63; }
static int f10(int x) { t[x & 63] = f9(x & 31); return f9(t[x & 63]) & 63; }
static int f11(int x) { t[x & 63] = f10(x & 31); return f10(t[x & 63]) & 63; }
static int f12(int x) { t[x & 63] = f11(x & 31); return f11(t[x & 63]) & 63; }
static int f13(int x) { t[x & 63] = f12(x & 31); return f12(t[x & 63]) & 63; }
static int f14(int x) { t[x & 63] = f13(x & 31); return f13(t[x & 63]) & 63; }
static int f15(int x) { t[x & 63] = f14(x & 31); return f14(t[x & 63]) & 63; }
static int f16(int x) { t[x & 63] = f15(x & 31); return f15(t[x & 63]) & 63; }
static int f17(int x) { t[x & 63] = f16(x & 31); return f16(t[x & 63]) & 63; }
static int f18(int x) { t[x & 63] = f17(x & 31); return f17(t[x & 63]) & 63; }
static int f19(int x) { t[x & 63] = f18(x & 31); return f18(t[x & 63]) & 63; }
static int f20(int x) { t[x & 63] = f19(x & 31); return f19(t[x & 63]) & 63; }
static int f21(int x) { t[x & 63] = f20(x & 31); return f20(t[x & 63]) & 63; }
static int f22(int x) { t[x & 63] = f21(x & 31); return f21(t[x & 63]) & 63; }
static int f23(int x) { t[x & 63] = f22(x & 31); return f22(t[x & 63]) & 63; }
static int f24(int x) { t[x & 63] = f23(x & 31); return f23(t[x & 63]) & 63; }
int main(void) { return f24(__VERIFIER_nondet_int()); }
