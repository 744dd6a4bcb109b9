//~ termination: false
/* Where the walk has to end is computed anew in each round. */
int main(void) {
    char text[100];
    char *p = text, *end = text + 1;
    while (p != end) {
        p++;
        end = p + 1;
        if (p == text + 50) {
            p = text;
            end = text + 1;
        }
    }
    return 0;
}
