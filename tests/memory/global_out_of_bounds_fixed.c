//~ all: true
static const char *names[] = {"red", "green", "blue"};

int main(void) {
    int i = 2;
    return names[i][0] != 'b';
}
