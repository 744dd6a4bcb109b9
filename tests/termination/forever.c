//~ termination: false
int main(void) {
    while (1)
        ;
}
