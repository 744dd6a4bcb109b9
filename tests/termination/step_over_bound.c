//~ termination: false
int main(void) {
    for (unsigned char i = 0; i != 101; i += 2)
        ;
    return 0;
}
