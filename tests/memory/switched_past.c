static int *kept;

static int choose(int c) {
    switch (c) {
    case 0:;
        int x = 3;
        kept = &x;
        return *kept;
    case 1:
        x = 4;
        kept = &x;
        break;
    }
    return *kept; //~ false(valid-deref)
}

int main(void) {
    return choose(0) + choose(1);
}
