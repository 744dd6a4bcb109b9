//~ memsafety: true
static int *kept;

static int choose(int c) {
    int r = 0;
    switch (c) {
    case 0:;
        int x = 3;
        kept = &x;
        return *kept;
    case 1:
        x = 4;
        kept = &x;
        r = *kept;
        break;
    }
    return r;
}

int main(void) {
    return choose(0) + choose(1);
}
