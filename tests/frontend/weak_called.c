// A weak function that nothing defines is called: its address is null, unless another file defines it.
__attribute__((weak)) int hook(void);
int main(void) {
    return hook(); //~ unknown(memsafety)
}
