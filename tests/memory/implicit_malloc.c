// Library functions that are called without a declaration are the library's.
int main(void) {
    int *a = malloc(sizeof(int));
    *a = 3;
    int **b = malloc(sizeof(int *));
    *b = a;
    free(b);
    free(*b); //~ false(valid-deref)
}
