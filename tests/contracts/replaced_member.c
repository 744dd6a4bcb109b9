//~ options: --replace view
//~ memsafety: true
//~ unreach-call: true
struct view {
    int *at;
    unsigned size;
};

void view(struct view *v, int *a, unsigned n)
__CPROVER_requires(__CPROVER_is_fresh(v, sizeof(*v)) && n <= 4 && __CPROVER_is_fresh(a, 4 * sizeof(int)))
__CPROVER_assigns(*v)
__CPROVER_ensures(v->at == a && v->size == n);

int main(void)
{
    int a[4] = {1, 2, 3, 4}, sum = 0;
    struct view v;
    view(&v, a, 4);
    __CPROVER_assert(v.size == 4, "the size is said");
    for (unsigned i = 0; i < v.size; i++)
        sum += v.at[i];
    return sum;
}
