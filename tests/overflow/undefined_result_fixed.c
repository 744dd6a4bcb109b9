//~ no-overflow: true
static int nothing(void) {
    return 0;
}

int main(void) {
    return nothing() - 1;
}
