// What a `for` asks in each round lives as long as the `for`: clang's scope for it is left in each round.
static int *kept;
static int keep(int *a) {
    kept = a;
    return *a;
}

int main(void) {
    int sum = 0;
    for (int i = 0; keep(&(int){i - 3}); i++) //~ unknown(valid-deref)
        sum += *kept;
    return sum;
}
