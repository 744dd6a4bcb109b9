//~ all: true
struct box { int *place; };
#define TAKE(variable) (variable) = &(struct box){ &number };
int main(void)
{
    int number = 0;
    struct box *box = 0;
    TAKE(box)
    return *box->place;
}
