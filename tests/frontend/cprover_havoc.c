// CBMC's havoc writes to memory: what follows does not know what stands there.
void __CPROVER_assert(_Bool, const char *);
void __CPROVER_havoc_object(void *);

int main(void) {
    unsigned x = 0;
    __CPROVER_havoc_object(&x);
    __CPROVER_assert(x == 0, "x keeps its value"); //~ false(unreach-call)
    return 0;
}
