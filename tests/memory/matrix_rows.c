//~ options: --property memsafety
// Rows are as long as there are columns, not rows.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int rows = __VERIFIER_nondet_int(), columns = __VERIFIER_nondet_int();
    if (rows < 1 || columns < 1 || rows > 1000 || columns > 1000)
        return 0;
    int *a = malloc(rows * columns * sizeof *a);
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            a[i * rows + j] = 0; //~ false(valid-deref)
    free(a);
}
