// A sum and a counter of the same loop: neither bounds the other before it is bounded itself.
int main(void) {
    int sum = 0;
    for (int i = 0; i < 3; i++) sum += 1000000000; //~ false(no-overflow)
    return sum;
}
