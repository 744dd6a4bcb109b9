typedef int four __attribute__((vector_size(16)));

int main(void) {
    four a = {1, 2, 3, 4}, b = {1, 1, 1, 1}; //~ unknown(unreach-call)
    four c = a + b;
    return c[0];
}
