//~ all: true
int main(void) {
    int *p;
    int x;
    {
        x = 1;
        p = &x;
    }
    return *p - 1;
}
