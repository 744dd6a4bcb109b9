//~ termination: true
static int bound, other;
static int *alias = &other;
static void raise(void) { *alias = *alias ^ 1; }
int main(void) {
    int i = 0;
    bound = 5;
    while (i < bound) {
        i++;
        raise();
    }
    return i;
}
