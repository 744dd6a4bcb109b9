/* The literal belongs to the block of the `switch`, of which clang keeps nothing but the case that is taken. */
int main(void) {
    int *kept;
    switch (1) {
    case 1:
        kept = (int[]){5}; //~ unknown(memsafety)
        break;
    default:
        kept = 0;
    }
    return *kept;
}
