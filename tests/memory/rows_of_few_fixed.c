// Two matrices, one of which has three rows: blocks of a fixed number that a loop makes in turn are an array, too.
//~ options: --engines graph
//~ memsafety: true
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct matrix {
    int rows, columns;
    double **cells;
};

static void drop(struct matrix *m) {
    if (!m)
        return;
    for (int i = 0; i < m->rows; i++)
        free(m->cells[i]);
    free(m->cells);
    free(m);
}

static struct matrix *make(int rows, int columns) {
    struct matrix *m = malloc(sizeof *m);
    if (!m)
        return NULL;
    m->rows = 0;
    m->columns = columns;
    m->cells = malloc(rows * sizeof *m->cells);
    if (!m->cells) {
        free(m);
        return NULL;
    }
    for (int i = 0; i < rows; i++) {
        m->cells[i] = calloc(columns, sizeof **m->cells);
        if (!m->cells[i]) {
            drop(m);
            return NULL;
        }
        m->rows++;
    }
    return m;
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 100)
        return 0;
    struct matrix *a = make(n, 3), *b = make(3, n);
    if (a && b)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < 3; j++) {
                a->cells[i][j] = i;
                b->cells[j][i] = j;
            }
    drop(a);
    drop(b);
    return 0;
}
