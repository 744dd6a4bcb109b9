// The first clause of a `for` belongs to the whole `for`.
int main(void) {
    int sum = 0;
    int *p;
    {
        for (p = (int[]){1, 2, 0}; *p; p++) sum += *p;
    }
    return sum + *p; //~ false(valid-deref)
}
