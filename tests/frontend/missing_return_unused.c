//~ all: true
/* Falling off the end is harmless where nobody uses the value. */
int log_it(int x) {
    x++;
}

int main(void) {
    log_it(1);
    return 0;
}
