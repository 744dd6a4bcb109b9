// No bytes have none in common with others, wherever they are.
//~ options: --rules cbmc --replace copy
//~ unreach-call: true
void copy(char *to, unsigned long n, const char *from)
__CPROVER_requires(__CPROVER_is_fresh(from, 8))
__CPROVER_requires(__CPROVER_is_fresh(to, n))
__CPROVER_assigns(__CPROVER_object_upto(to, n))
;
int main(void)
{
    char all[16] = {0};
    copy(all + 4, 0, all);
    copy(all + 8, 8, all);
    __CPROVER_assert(all[4] == 0, "nothing was assigned there");
    return 0;
}
