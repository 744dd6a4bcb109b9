// A text in static storage, which the function may name.
//~ options: --replace spoil
//~ unreach-call: unknown
void reach_error(void);
char name[4] = "abc";
void spoil(char *text)
__CPROVER_requires(__CPROVER_is_cstring(text))
__CPROVER_assigns(*text)
__CPROVER_ensures(name[0] == __CPROVER_old(name[0]))
{
    *text = 'x';
}
int main(void)
{
    spoil(name);
    if (name[0] != 'a')
        reach_error();
    return 0;
}
