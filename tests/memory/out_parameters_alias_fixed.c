// Both values are small enough, whichever stays.
//~ memsafety: true
static int table[10];
static void give(int *first, int *second) {
    *first = 3;
    *second = 9;
    table[*first] = 1;
}
int main(void) {
    int both;
    give(&both, &both);
    return 0;
}
