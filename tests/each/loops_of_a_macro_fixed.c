//~ options: --each-loop --property termination --time-limit 20
unsigned g;
#define COUNT_TWICE { for (int i = 0; i < 5; i++) g++; for (int j = 0; j < 6; j++) g ^= 1; }
int main(void) {
    COUNT_TWICE
    return 0;
}
