//~ all: true
static unsigned modulus = 7;

int main(void) {
    unsigned hash = 77;
    return hash % modulus;
}
