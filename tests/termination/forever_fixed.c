//~ all: true
int main(void) {
    int i = 3;
    while (1)
        if (--i == 0)
            return 0;
}
