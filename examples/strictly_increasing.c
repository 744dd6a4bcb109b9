/* The counter gets strictly greater until the test fails: the loop ends. */
int main(void) {
    int x = 0;
    while (x < 255)
        x++;
    return 0;
}
