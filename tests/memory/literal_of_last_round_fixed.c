//~ memsafety: true
struct node { int value; };

int main(void) {
    struct node *last = 0;
    int sum = 0;
    for (int i = 0; i < 3; i++) {
        last = &(struct node){i};
        if (last) sum += last->value;
    }
    return sum;
}
