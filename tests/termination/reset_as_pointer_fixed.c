//~ termination: true
/* It is overwritten with a pointer , and the walk comes to its end. */
long left;

static int walk(char *p, char *end) {
    left = 10;
    while (left != 0 && p != end) {
        left--;
        p++;
        *(char **)&left = p;
    }
    return 0;
}

int main(void) {
    char buffer[4] = {0};
    return walk(buffer, buffer + 4);
}
