/* x is 0 and 1 in turn: the two rounds together change nothing. */
int main(void) {
    int x = 0;
    while (1) x = !x;
    return 0;
}
