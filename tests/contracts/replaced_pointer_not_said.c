//~ options: --replace get
//~ memsafety: unknown
// That a pointer leads into some object can't be made true by any choice of its bytes: assuming it would leave out every run.
void get(int **out, int *a)
__CPROVER_requires(__CPROVER_is_fresh(out, sizeof(*out)) && __CPROVER_is_fresh(a, 4 * sizeof(int)))
__CPROVER_assigns(*out)
__CPROVER_ensures(__CPROVER_same_object(*out, a));

int main(void)
{
    int a[4] = {1, 2, 3, 4};
    int *p = 0;
    get(&p, a);
    return p[5];
}
