//~ all: true
#include <alloca.h>
#include <assert.h>

struct node { int value; struct node *next; };

int main(void) {
    struct node *head = 0;
    for (int i = 0; i < 5; i++) {
        struct node *n = alloca(sizeof *n);
        n->value = i;
        n->next = head;
        head = n;
    }
    int sum = 0;
    for (struct node *n = head; n; n = n->next)
        sum = sum * 10 + n->value;
    assert(sum == 43210);
    char *bytes = __builtin_alloca(3);
    bytes[2] = 1;
    return bytes[2] - 1;
}
