//~ all: true
struct node {
    struct node *next;
};

int main(void) {
    struct node a, b;
    a.next = &b;
    b.next = 0;
    for (struct node *n = &a; n; n = n->next)
        ;
    return 0;
}
