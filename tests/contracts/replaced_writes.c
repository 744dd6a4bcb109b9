// What `assigns` names has any value after the call.
//~ options: --replace touch
int hits;
void touch(void) __CPROVER_assigns(hits) { }
int main(void)
{
    hits = 1;
    touch();
    return 10 / hits; //~ false(arithmetic)
}
