// A function that is given away may be called.
extern void each(void (*visit)(int));
static int total;
static void add(int n) {
    total = n;
}

int main(void) {
    each(add); //~ unknown(unreach-call)
    return total;
}
