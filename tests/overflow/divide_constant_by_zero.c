/* clang knows the quotient has no value and would drop it. */
int main(void) {
    int x = 1 / 0; //~ false(arithmetic)
    return x;
}
