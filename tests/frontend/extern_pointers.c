// What lies behind pointers that a function without a body gets is not followed.
struct box { int *place; };
extern void fill(struct box *b);

int main(void) {
    int x = 0;
    struct box b = {&x};
    fill(&b); //~ unknown(valid-deref)
    return *b.place;
}
