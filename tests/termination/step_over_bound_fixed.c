//~ all: true
int main(void) {
    for (unsigned char i = 0; i != 101; i += 3)
        ;
    return 0;
}
