//~ all: true
int main(void) {
    int total = 10, count = 0;
    return count ? total / count : 0;
}
