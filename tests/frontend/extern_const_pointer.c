// The pointer is const, what it leads to is not.
extern void fill(int *const *place);

int main(void) {
    int x = 1, *p = &x;
    fill(&p); //~ unknown(valid-deref)
    return x;
}
