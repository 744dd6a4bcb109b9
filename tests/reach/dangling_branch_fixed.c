//~ all: true
extern void reach_error(void);

static int classify(int n) {
    switch (n) {
    case 1:
    case 2:
        return 10;
    case 3:
        n = 7;
        break;
    default:
        return n;
    }
    return 20;
}

int main(void) {
    if (classify(3) == 7)
        reach_error();
    return 0;
}
