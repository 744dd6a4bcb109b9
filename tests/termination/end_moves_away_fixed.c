//~ termination: true
/* The end changes between walks, not in one. */
int main(void) {
    char text[100];
    for (int k = 1; k < 50; k++) {
        char *end = text + k;
        for (char *p = text; p != end; p++)
            *p = 1;
    }
    return 0;
}
