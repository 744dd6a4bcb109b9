static int factorial(int n) {
    return n == 0 ? 1 : n * factorial(n - 1); //~ false(no-overflow)
}

int main(void) { return factorial(13) == 0; }
