//~ options: --property memsafety --engines graph
//~ memsafety: true
// All arguments, by index and by pointer, to the end of each.
int main(int argc, char **argv) {
    int sum = 0;
    for (int i = 0; i < argc; i++)
        for (char *p = argv[i]; *p; p++)
            sum ^= *p;
    while (*argv)
        sum ^= **argv++;
    return sum;
}
