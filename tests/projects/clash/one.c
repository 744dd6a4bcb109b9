int shared(void) { return 1; }
int main(void) { return shared(); }
