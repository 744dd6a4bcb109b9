static int code = 0xc3;

int main(void) {
    void (*f)(void) = (void (*)(void)) & code;
    f(); //~ false(valid-deref)
    return 0;
}
