//~ all: true
int main(void) {
    int *last = 0;
    int sum = 0;
    int x;
    for (int i = 0; i < 2; i++) {
        if (last)
            sum += *last;
        x = i;
        last = &x;
    }
    return sum;
}
