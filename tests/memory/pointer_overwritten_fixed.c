//~ all: true
union slot {
    int *pointer;
    unsigned char bytes[sizeof(int *)];
};

/* A pointer copied byte by byte is still that pointer. */
int main(void) {
    int x = 0;
    union slot s, t;
    s.pointer = &x;
    for (unsigned i = 0; i < sizeof s.bytes; i++)
        t.bytes[i] = s.bytes[i];
    return *t.pointer;
}
