//~ memsafety: true
/* What alloca gives lives until the function returns, not until its block ends. */
int main(void) {
    int *data;
    {
        int *made = __builtin_alloca(10 * sizeof(int));
        made[9] = 1;
        data = made;
    }
    return data[9] - 1;
}
