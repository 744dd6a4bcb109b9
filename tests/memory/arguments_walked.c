//~ options: --property memsafety
// The pointer behind the last argument is null.
int main(int argc, char **argv) {
    int sum = 0;
    for (int i = 0; i <= argc; i++)
        sum ^= argv[i][0]; //~ false(valid-deref)
    return sum;
}
