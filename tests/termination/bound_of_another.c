//~ termination: false
/* A function that is called moves the bound through a pointer that it did not get from here. */
static int bound;
static int *alias = &bound;
static void raise(void) {
    *alias = *alias + 1;
    if (*alias > 100)
        *alias = 50;
}
int main(void) {
    int i = 0;
    bound = 5;
    while (i < bound) {
        i++;
        raise();
        if (i == 40)
            i = 3;
    }
    return i;
}
