//~ all: true
/* What compilers warn of: int and pointer mixed, qualifiers dropped, pointers to other types. */
int main(void) {
    const int c = 3;
    int *p = &c;
    char *q = p;
    int zero = 0;
    void *v = q;
    unsigned char *bytes = v;
    long n = p;
    int *back = n;
    return *q - 3 + bytes[1] + zero + (*back - 3);
}
