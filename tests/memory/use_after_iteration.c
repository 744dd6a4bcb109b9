/* Each pass through the body is a new life of `x`. */
int main(void) {
    int *last = 0;
    int sum = 0;
    for (int i = 0; i < 2; i++) {
        int x = i;
        if (last)
            sum += *last; //~ false(valid-deref)
        last = &x;
    }
    return sum;
}
