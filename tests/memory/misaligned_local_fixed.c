//~ options: --check-alignment
//~ memsafety: true
// A union is aligned as all of its members ask.
union word {
    char bytes[8];
    int number;
};

int main(void) {
    union word word;
    int *number = (int *)word.bytes;
    *number = 5;
    return 0;
}
