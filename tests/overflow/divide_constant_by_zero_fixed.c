//~ all: true
/* Dividing floats by zero is defined. */
int main(void) {
    double x = 1.0 / 0.0;
    return x < 1e308;
}
