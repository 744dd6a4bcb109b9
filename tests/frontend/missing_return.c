//~ memsafety: true
//~ termination: true
int sign(int x) {
    if (x > 0)
        return 1;
    if (x <= 0)
        return -1;
}

int main(void) { return sign(3) - 1; }
