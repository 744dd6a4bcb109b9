// Each pass is a new life.
struct node { int value; };

int main(void) {
    struct node *last = 0;
    int sum = 0;
    for (int i = 0; i < 3; i++) {
        if (last) sum += last->value; //~ false(valid-deref)
        last = &(struct node){i};
    }
    return sum;
}
