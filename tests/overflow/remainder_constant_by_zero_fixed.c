//~ all: true
/* Not evaluated, so nothing goes wrong. */
int main(void) {
    unsigned x = 0 && (7u % 0u);
    return x;
}
