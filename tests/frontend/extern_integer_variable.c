// An address that was made a number before leads somewhere too.
extern void write_to(long place);

int main(void) {
    int x = 0;
    long place = (long)&x;
    write_to(place); //~ unknown(valid-deref)
    return x;
}
