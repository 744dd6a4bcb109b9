//~ all: true
int main(void) {
    for (unsigned char i = 0; i < 255; i++)
        ;
    return 0;
}
