// Two out-parameters are one variable.
static int table[10];
static void give(int *first, int *second) {
    *first = 3;
    *second = 30;
    table[*first] = 1; //~ false(valid-deref)
}
int main(void) {
    int both;
    give(&both, &both);
    return 0;
}
