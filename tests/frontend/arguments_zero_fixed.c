//~ options: --argc-may-be-zero
//~ memsafety: true
int main(int argc, char **argv) {
    int r = 0;
    for (int i = 0; i < argc; i++) r ^= argv[i][0];
    return argc > 0 ? argv[0][0] : r;
}
