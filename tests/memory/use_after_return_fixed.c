//~ all: true
static int *counter(void) {
    static int count = 5;
    int *p = &count;
    return p;
}

int main(void) {
    int *p = counter();
    return *p - 5;
}
