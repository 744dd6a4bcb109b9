int main(void) {
    int x = 1;
    __asm__("incl %0" : "+r"(x)); //~ unknown(unreach-call)
    return x;
}
