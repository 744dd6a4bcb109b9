//~ memsafety: unknown(scope)
struct point { int x, y; };

/* The compiler gives no end for the literal's life, which is that of the loop's body. */
int main(void) {
    int total = 0;
    for (int i = 0; i < 2; i++) {
        struct point *p = &(struct point){i, 1};
        total += p->x + p->y;
    }
    return total - 3;
}
