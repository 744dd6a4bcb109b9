typedef int four __attribute__((vector_size(16)));

int main(void) {
    four a = {1, 2, 3, 4}, b = {1, 1, 1, 1};
    four c = a + b; //~ unknown(unreach-call)
    return c[0];
}
