// As weak_called.c, but there is a definition.
//~ memsafety: true
__attribute__((weak)) int hook(void);
int hook(void) { return 0; }
int main(void) {
    return hook();
}
