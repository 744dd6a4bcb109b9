#include <stdatomic.h>

int main(void) {
    atomic_int n = 0;
    atomic_fetch_add(&n, 1); //~ unknown(unreach-call)
    return 0;
}
