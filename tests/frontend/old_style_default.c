//~ all: true
/* Old style is accepted without being asked for. */
int add(a, b)
    int a, b;
{
    return a + b;
}

int main() {
    if (add(1, 2) != 3)
        abort();
    return 0;
}
