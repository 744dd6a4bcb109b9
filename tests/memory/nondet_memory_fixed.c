// Inputs that are written into memory, and no further.
//~ all: true
extern void __VERIFIER_nondet_memory(void *, unsigned long);
int main(void)
{
    int cells[4] = {0};
    unsigned char place[2] = {3, 0};
    __VERIFIER_nondet_memory(place, 1);
    return cells[place[0] & 3] + cells[place[1]];
}
