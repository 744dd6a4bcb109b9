//~ options: --property memsafety --engines graph
//~ memsafety: true
// A row begins at a product of two variables, and so does what is behind the last one.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int rows = __VERIFIER_nondet_int(), columns = __VERIFIER_nondet_int();
    if (rows < 1 || columns < 1 || rows > 1000 || columns > 1000)
        return 0;
    int *a = malloc(rows * columns * sizeof *a);
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            a[i * columns + j] = 0;
    free(a);
}
