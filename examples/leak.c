#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

static struct node *push(struct node *head, int value) {
    struct node *n = malloc(sizeof *n);
    n->value = value;
    n->next = head;
    return n;
}

/* Removes the first node; forgets to free it. */
static struct node *pop(struct node *head) { return head->next; }

int main(void) {
    struct node *list = push(push(NULL, 1), 2);
    list = pop(list);
    free(list);
    return 0;
}
