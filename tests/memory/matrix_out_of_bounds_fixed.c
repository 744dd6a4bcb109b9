//~ memsafety: true
/* From one row into the next: inside the whole object. */
int main(void) {
    int m[2][4] = {{0}};
    int column = 4;
    m[0][column] = 1;
    return m[1][0] - 1;
}
