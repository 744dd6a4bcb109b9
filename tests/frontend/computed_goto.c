/* Not handled: unknown at the line, and nowhere else. */
int main(void) {
    static void *targets[] = {&&one, &&two};
    int i = 1;
    goto *targets[i]; //~ unknown(termination)
one:
    return 1;
two:
    return 0;
}
