//~ valid-deref: true
struct pair { int *place; int number; };
extern struct pair shared;
static int read(const struct pair *pair)
{
    return *pair->place;
}
int main(void)
{
    struct pair copy = shared;
    copy.place = &copy.number;
    return read(&copy);
}
