static unsigned modulus;

int main(void) {
    unsigned hash = 77;
    return hash % modulus; //~ false(arithmetic)
}
