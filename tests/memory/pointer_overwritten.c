union slot {
    int *pointer;
    unsigned char bytes[sizeof(int *)];
};

int main(void) {
    int x = 0;
    union slot s;
    s.pointer = &x;
    for (unsigned i = 0; i < sizeof s.bytes; i++)
        s.bytes[i] = 0;
    return *s.pointer; //~ false(valid-deref)
}
