//~ termination: false
struct node {
    struct node *next;
};

int main(void) {
    struct node a, b;
    a.next = &b;
    b.next = &a;
    for (struct node *n = &a; n; n = n->next)
        ;
    return 0;
}
