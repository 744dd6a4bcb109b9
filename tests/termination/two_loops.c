//~ termination: false
/* A loop with two entries. */
int main(void) {
    int x = 1;
    if (x)
        goto middle;
top:
    x = 2;
middle:
    x = 3;
    goto top;
}
