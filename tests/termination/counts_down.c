//~ termination: false
/* An unsigned number is never below zero. */
int main(void) {
    for (unsigned char i = 10; i >= 0; i--)
        ;
    return 0;
}
