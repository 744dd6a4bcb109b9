//~ all: true
static int dive(int n) { return n == 0 ? 0 : dive(n - 1) + 1; }

int main(void) { return dive(100) - 100; }
