extern void reach_error(void);

static int classify(int n) {
    switch (n) {
    case 1:
    case 2:
        return 10;
    case 3:
        n = 7;
    default:
        return n;
    }
}

int main(void) {
    if (classify(3) == 7)
        reach_error(); //~ false(unreach-call)
    return 0;
}
