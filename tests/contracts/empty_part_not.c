// One byte in common is one too many.
//~ options: --rules cbmc --replace copy
void copy(char *to, unsigned long n, const char *from)
__CPROVER_requires(__CPROVER_is_fresh(from, 8))
__CPROVER_requires(__CPROVER_is_fresh(to, n)) //~ false(unreach-call)
__CPROVER_assigns(__CPROVER_object_upto(to, n))
;
int main(void)
{
    char all[16] = {0};
    copy(all + 8, 8, all);
    copy(all + 7, 1, all);
    return 0;
}
