//~ all: true
/* What is not handled does no harm where no run gets. */
int main(void) {
    int x = 0;
    if (x)
        __asm__("nop");
    return 0;
}
