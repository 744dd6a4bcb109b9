// The edges of a graph lead to nodes below a number: a queue of nodes and a table of marks are indexed with what its lists hold.
//~ options: --engines graph
//~ memsafety: true
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct edge {
    int to;
    struct edge *next;
};

struct graph {
    int n;
    struct edge **from;
};

static void connect(struct graph *g, int a, int b) {
    if (a < 0 || b < 0 || a >= g->n || b >= g->n)
        return;
    struct edge *e = malloc(sizeof *e);
    if (!e)
        return;
    e->to = b;
    e->next = g->from[a];
    g->from[a] = e;
}

static int reached(const struct graph *g) {
    char *seen = calloc((size_t)g->n, 1);
    int *queue = malloc((size_t)g->n * sizeof *queue);
    int head = 0, tail = 0;
    if (seen && queue) {
        seen[0] = 1;
        queue[tail++] = 0;
        while (head < tail) {
            int node = queue[head++];
            for (struct edge *e = g->from[node]; e; e = e->next)
                if (!seen[e->to] && tail < g->n) {
                    seen[e->to] = 1;
                    queue[tail++] = e->to;
                }
        }
    }
    free(seen);
    free(queue);
    return tail;
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 1000)
        return 0;
    struct graph g = {n, calloc((size_t)n, sizeof(struct edge *))};
    if (!g.from)
        return 1;
    for (int i = 0; i < 3 * n; i++)
        connect(&g, __VERIFIER_nondet_int(), __VERIFIER_nondet_int());
    int result = reached(&g);
    for (int i = 0; i < n; i++)
        while (g.from[i]) {
            struct edge *next = g.from[i]->next;
            free(g.from[i]);
            g.from[i] = next;
        }
    free(g.from);
    return result & 1;
}
