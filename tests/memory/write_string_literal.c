int main(void) {
    char *s = "hello";
    s[0] = 'H'; //~ false(valid-deref)
    return 0;
}
