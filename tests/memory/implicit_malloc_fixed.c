//~ memsafety: true
int main(void) {
    int *a = malloc(sizeof(int));
    *a = 3;
    int **b = malloc(sizeof(int *));
    *b = a;
    free(*b);
    free(b);
}
