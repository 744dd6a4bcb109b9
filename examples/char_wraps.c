/* A char counts up for ever: after 127 comes -128, so that -x is no ranking function. */
int main(void) {
    signed char x = 0;
    while (1) x++;
    return 0;
}
