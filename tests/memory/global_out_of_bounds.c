static const char *names[] = {"red", "green", "blue"};

int main(void) {
    int i = 3;
    return names[i] != 0; //~ false(valid-deref)
}
