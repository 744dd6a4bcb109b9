int main(void) {
    int x = 1, *p = &x;
    __asm__ volatile("incl (%0)" : : "r"(p) : "memory"); //~ unknown(unreach-call)
    return x;
}
