/* What alloca gives lives until the function returns, not until its block ends. */
static int *make(void) {
    int *data;
    {
        int *made = __builtin_alloca(10 * sizeof(int));
        made[9] = 1;
        data = made;
    }
    return data;
}

int main(void) {
    return make()[9]; //~ false(valid-deref)
}
