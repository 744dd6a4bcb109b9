//~ valid-deref: unknown(no file defines)
// Whoever defines `shared` may let its pointer lead to a number: no violation rests on where it leads, also where it was copied.
struct pair { int *place; int number; };
extern struct pair shared;
static int read(const struct pair *pair)
{
    return *pair->place;
}
int main(void)
{
    struct pair copy = shared;
    return read(&copy);
}
