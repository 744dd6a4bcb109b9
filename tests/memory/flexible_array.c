#include <stdlib.h>

struct message {
    int length;
    char data[];
};

int main(void) {
    struct message *m = malloc(sizeof *m + 3);
    m->length = 3;
    for (int i = 0; i <= m->length; i++)
        m->data[i] = 'x'; //~ false(valid-deref)
    free(m);
    return 0;
}
