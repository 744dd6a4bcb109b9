// Fig. 3 of "2LS for program analysis", mended.
#define SIZE 1000

extern int __VERIFIER_nondet_int(void);
extern void __CPROVER_assume(int);

static int matrix[SIZE][SIZE];

int main(void) {
    unsigned m = __VERIFIER_nondet_int();
    unsigned n = __VERIFIER_nondet_int();
    __CPROVER_assume(m <= SIZE && n <= SIZE && m * n <= SIZE);

    int array[SIZE];
    for (int row = 0; row < m; ++row) {
        for (int col = 0; col < n; ++col) {
            int index = row * n + col;
            array[index] = matrix[row][col];
        }
    }
    return 0;
}
