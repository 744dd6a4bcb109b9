// What an `if` asks belongs to the whole `if`, and ends with it.
static int set(int **where, int *what) {
    *where = what;
    return *what;
}

int main(void) {
    int *p = 0;
    int r = 0;
    {
        if (set(&p, &(int){3})) r = *p;
        else r = 1;
        r += *p; //~ false(valid-deref)
    }
    return r;
}
