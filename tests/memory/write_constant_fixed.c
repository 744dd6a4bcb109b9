//~ all: true
static int limit = 10;

int main(void) {
    const int *q = &limit;
    int *p = (int *)q;
    *p = 20;
    return limit - 20;
}
