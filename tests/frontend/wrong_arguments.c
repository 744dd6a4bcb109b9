/* Fewer arguments than the function has parameters. */
int add();

int main(void) {
    return add(1); //~ unknown(termination)
}

int add(int a, int b) { return a + b; }
