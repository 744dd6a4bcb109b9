// A replaced function leaves any number in what it assigns, in each type and all of its bits.
//~ options: --rules cbmc --replace fill
typedef struct { signed char a; short b; int c; long d; _Bool e; } all;
void fill(all *x)
__CPROVER_assigns(x->a, x->b, x->c, x->d)
__CPROVER_ensures(x->b > 30000)
;
int main(void)
{
    all x = {1, 2, 3, 4, 1};
    fill(&x);
    __CPROVER_assert(x.e == 1, "not assigned");
    __CPROVER_assert(x.b > 30000, "ensured");
    if (x.a == -128 && x.b == 32767 && x.c == -77) {
        __CPROVER_assert(x.d != -5, "any number"); //~ false(unreach-call)
    }
    return 0;
}
