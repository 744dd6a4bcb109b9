// An input of the type `_Bool` is 0 or 1.
//~ all: true
extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);
int main(void)
{
    int x = __VERIFIER_nondet_bool();
    if (x != 0 && x != 1) reach_error();
    return 0;
}
