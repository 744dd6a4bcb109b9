//~ termination: false
/* What counts down is overwritten with a pointer in every round. */
long left;

static int walk(char *p, char *end) {
    left = 10;
    while (left != 0 && p != end) {
        left--;
        *(char **)&left = p;
    }
    return 0;
}

int main(void) {
    char buffer[4] = {0};
    return walk(buffer, buffer + 4);
}
