// clang keeps nothing of a `switch` of a constant but the case that is taken; that a macro makes one is known all the same.
//~ valid-deref: unknown(scope)
struct box { int *place; };
#define CHOOSE switch (1)
#define TAKE(variable) CHOOSE { case 1: (variable) = &(struct box){ &number }; }
int main(void)
{
    int number = 0;
    struct box *box = 0;
    TAKE(box)
    return *box->place;
}
