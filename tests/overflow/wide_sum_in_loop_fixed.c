//~ options: --data-model ILP32
//~ all: true
int main(void) {
    long long sum = 9223372036854775;
    for (int i = 0; i < 10; i++) {
        sum = sum + i;
    }
    return sum > 0;
}
