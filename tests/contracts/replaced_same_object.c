// Callers may give two parts of one block for two blocks: that they differ is shown of blocks alone.
//~ options: --replace apart
//~ unreach-call: unknown(same_object)
void apart(char *p, char *q)
__CPROVER_requires(__CPROVER_is_fresh(p, 4) && __CPROVER_is_fresh(q, 4))
__CPROVER_assigns()
__CPROVER_ensures(!__CPROVER_same_object(p, q));

int main(void) {
    char a[8] = {0};
    apart(a, a + 4);
    __CPROVER_assert(0, "reached");
    return 0;
}
