//~ memsafety: unknown(blocks of several kinds)
// A block of new[] must not be released by delete: which one made it is not followed.
int main() {
    int *p = new int[4];
    delete p;
    return 0;
}
