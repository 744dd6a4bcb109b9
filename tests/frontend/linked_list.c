//~ all: true
#include <assert.h>
#include <stdlib.h>

struct node { int value; struct node *next; };

static struct node *insert(struct node *head, int value) {
    struct node **where = &head;
    while (*where && (*where)->value < value)
        where = &(*where)->next;
    struct node *n = malloc(sizeof *n);
    *n = (struct node){value, *where};
    *where = n;
    return head;
}

static struct node *reverse(struct node *head) {
    struct node *done = NULL;
    while (head) {
        struct node *next = head->next;
        head->next = done;
        done = head;
        head = next;
    }
    return done;
}

int main(void) {
    struct node *list = NULL;
    int values[] = {5, 1, 4, 2, 3};
    for (unsigned i = 0; i < sizeof values / sizeof *values; i++)
        list = insert(list, values[i]);
    list = reverse(list);
    int digits = 0;
    while (list) {
        digits = digits * 10 + list->value;
        struct node *next = list->next;
        free(list);
        list = next;
    }
    assert(digits == 54321);
    return 0;
}
